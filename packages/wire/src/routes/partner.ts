import * as z from 'zod/mini'
import { partnerStandings } from '../enums.ts'
import { amount, idempotencyKey, moment } from '../formats.ts'
import { memberRoute } from '../route.ts'

const status = z.object({
  at: moment,
  standing: z.enum(partnerStandings),
  /** Of the last application. */
  appliedAt: z.nullable(moment),
  decidedAt: z.nullable(moment),
  /** Why it was rejected, in the operators' words. */
  note: z.nullable(z.string()),
  /** What an application needs: to be activated, and every layer full. */
  activated: z.boolean(),
  /** From the first to the fifth: how many stand there, of as many as can. */
  layers: z.array(z.object({ layer: z.int(), members: z.int(), needed: z.int() })),
  /** Whether all is there, and none waits or was approved. */
  mayApply: z.boolean(),
  /**
   * BTN. Of a partner, what the approval gave and whether the reserve could pay it; of anybody else, what the plan in force gives,
   * and `paid` is null. Null where there is no plan.
   */
  airdrop: z.nullable(z.object({ amount, paid: z.nullable(z.boolean()) })),
  /** USDT that its days as a partner have brought: what waits for `partner/collect`, and what it has taken. Null where it is none. */
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
    summary: 'Take all that promotions have brought to the member as a partner into the balance',
    request: { key: idempotencyKey },
    /** USDT. */
    data: z.object({ amount }),
    refusals: ['collect-nothing', 'key-conflict'],
    exit: true,
  }),
}
