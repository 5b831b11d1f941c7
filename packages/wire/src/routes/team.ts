import * as z from 'zod/mini'
import { branches } from '../enums.ts'
import { address, addressTail, amount, moment, opaqueId, pageQuery } from '../formats.ts'
import { memberRoute } from '../route.ts'

const count = z.int()

const node = z.object({
  id: opaqueId,
  tail: addressTail,
  branch: z.enum(branches),
  level: z.int(),
  activated: z.boolean(),
})

/** How many members these layers have, and how many they can have. */
const filling = z.object({ headcount: count, capacity: count, full: z.boolean() })

/** One of the three areas below a member, down to the caller's fifth layer. */
const area = z.object({ branch: z.enum(branches), headcount: count, activated: count })

export const teamRoutes = {
  'team/overview': memberRoute('GET', '/team/overview', {
    summary:
      'The five layers below the member: how many stand there, how many are activated, what they paid for promotions',
    request: {},
    data: z.object({
      level: z.int(),
      activated: z.boolean(),
      /** Activated members whom this one invited. */
      effectiveInvites: count,
      /** Areas whose first member is activated. */
      activeTeams: count,
      /** USDT that the five layers paid for promotions. */
      performance: amount,
      /** From the first layer to the fifth. */
      layers: z.array(z.object({ headcount: count, activated: count, capacity: count })),
      /** The first three layers together, and all five. */
      threeLayers: filling,
      fiveLayers: filling,
      areas: z.array(area),
    }),
  }),

  'team/net': memberRoute('GET', '/team/net', {
    summary: 'One member of the net and the three areas below it; without a root, the caller',
    request: {
      root: z.optional(opaqueId),
      /** Looks the member up in the caller's five layers, by the whole address or by its last six digits. */
      find: z.optional(z.union([address, addressTail])),
    },
    data: z.object({
      /**
       * From the caller's first layer down to the shown member, who is the last entry; empty if the caller is shown.
       */
      path: z.array(node),
      level: z.int(),
      activated: z.boolean(),
      /**
       * Left, center and right, each with its first member and the places right below, as far as the caller may look.
       */
      areas: z.array(
        z.extend(area, {
          head: z.nullable(z.extend(node, { below: z.array(z.enum(['open', 'member', 'activated'])) })),
        }),
      ),
    }),
    refusals: ['team-node-unknown'],
  }),

  'team/invitations': memberRoute('GET', '/team/invitations', {
    summary: 'The members whom this member invited, newest first',
    request: pageQuery,
    data: z.object({
      items: z.array(
        z.object({
          id: opaqueId,
          /** The root of `team/net` that shows this member. Null if it is below the caller's five layers. */
          node: z.nullable(opaqueId),
          tail: addressTail,
          level: z.int(),
          activated: z.boolean(),
          at: moment,
        }),
      ),
      next: z.nullable(z.string()),
    }),
  }),
}
