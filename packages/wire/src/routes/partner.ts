import * as z from 'zod/mini'
import { partnerStandings } from '../enums.ts'
import { amount, idempotencyKey, moment } from '../formats.ts'
import { memberRoute } from '../route.ts'

const status = z.object({
  at: moment,
  standing: z.enum(partnerStandings),
  /** When the latest application was made, and when operators decided it. */
  appliedAt: z.nullable(moment),
  decidedAt: z.nullable(moment),
  /** The operators' note on a rejection. */
  note: z.nullable(z.string()),
  /** The conditions of an application: the member is activated, and every layer is full. */
  activated: z.boolean(),
  /** From the first layer to the fifth: how many members it has, and how many it needs. */
  layers: z.array(z.object({ layer: z.int(), members: z.int(), needed: z.int() })),
  /** Whether all conditions are met, and no application waits or was approved. */
  mayApply: z.boolean(),
  /**
   * BTN. For a partner: the airdrop of the approval, and whether the reserve could pay it (null if it is zero). For
   * other members: the airdrop of the plan in force, with `paid` null. Null if there is no plan.
   */
  airdrop: z.nullable(z.object({ amount, paid: z.nullable(z.boolean()) })),
  /** USDT of the partner rewards: what waits for `partner/collect`, and what was collected. Null for other members. */
  reward: z.nullable(z.object({ produced: amount, collected: amount })),
})

export const partnerRoutes = {
  'partner/status': memberRoute('GET', '/partner/status', {
    summary: 'Whether the member is a partner or has asked to be one, and what is missing for it',
    request: {},
    data: status,
    exit: true,
  }),

  'partner/apply': memberRoute('POST', '/partner/apply', {
    summary: 'Ask the operators to become a partner',
    request: { key: idempotencyKey },
    data: status,
    refusals: [
      'account-disabled',
      'partner-not-activated',
      'partner-layers-open',
      'partner-applied',
      'partner-approved',
      'key-conflict',
    ],
  }),

  'partner/collect': memberRoute('POST', '/partner/collect', {
    summary: 'Collect all waiting partner rewards into the balance',
    request: { key: idempotencyKey },
    /** USDT. */
    data: z.object({ amount }),
    refusals: ['collect-nothing', 'key-conflict'],
    exit: true,
  }),
}
