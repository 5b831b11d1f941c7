import * as z from 'zod/mini'
import { holdReasons } from '../enums.ts'
import { address, amount, asset, fundPassword, idempotencyKey, moment, orderId, planVersion } from '../formats.ts'
import { memberRoute } from '../route.ts'
import { transferOrder } from './order.ts'

const symbolTerms = z.object({
  symbol: asset,
  min: amount,
  max: amount,
  fee: amount,
  available: amount,
  /** For any 24 hours, at the member's level. */
  quota: z.object({ left: amount, total: amount }),
  /** A transfer above `reviewAbove` is reviewed; above `decisionAbove` two operators must decide. */
  reviewAbove: amount,
  decisionAbove: amount,
})

export const transferRoutes = {
  'transfer/terms': memberRoute('GET', '/transfer/terms', {
    summary: 'What a transfer out costs, how much it may be, where it goes, and what would hold it',
    request: {},
    data: z.object({
      planVersion,
      at: moment,
      address,
      own: z.boolean(),
      /** The account is disabled, so operators review each of its transfers. */
      reviewed: z.boolean(),
      /** The holds that a transfer requested now, from this browser, would have. */
      holds: z.array(z.object({ reason: z.enum(holdReasons), endsAt: moment })),
      pausedUntil: z.nullable(moment),
      symbols: z.array(symbolTerms),
    }),
    refusals: ['plan-none'],
    exit: true,
  }),

  'transfer/order': memberRoute('POST', '/transfer/order', {
    summary: 'Transfer an asset out, to the output address that is bound',
    request: {
      key: idempotencyKey,
      /** The plan version and output address that the member saw. If either has changed, the transfer is refused. */
      planVersion,
      address,
      symbol: asset,
      amount,
      password: fundPassword,
    },
    data: transferOrder,
    refusals: [
      'plan-none',
      'plan-changed',
      'output-address-changed',
      'amount-range',
      'balance-insufficient',
      'quota-insufficient',
      'fund-password-unset',
      'fund-password-locked',
      'fund-password-wrong',
      'key-conflict',
    ],
    exit: true,
  }),

  'transfer/cancel': memberRoute('POST', '/transfer/cancel', {
    summary: 'Cancel a transfer that is not signed yet; amount and fee are available again at once',
    request: { key: idempotencyKey, id: orderId },
    data: transferOrder,
    refusals: ['order-unknown', 'order-completed', 'key-conflict'],
    exit: true,
  }),
}
