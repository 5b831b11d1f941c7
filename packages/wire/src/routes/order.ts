import * as z from 'zod/mini'
import { orderStatuses, orderTypes, queueReasons, transferHoldReasons, transferStates } from '../enums.ts'
import { address, amount, asset, moment, orderId, page, planVersion, transactionHash } from '../formats.ts'
import { memberRoute } from '../route.ts'

const status = z.union([
  z.literal(orderStatuses.failed),
  z.literal(orderStatuses.success),
  z.literal(orderStatuses.paying),
  z.literal(orderStatuses.confirming),
])

/** A transfer out, with all that its member may want to know of it: where it stands, why, and until when. */
export const transferOrder = z.object({
  id: orderId,
  type: z.literal(orderTypes.transferOut),
  status,
  state: z.enum(transferStates),
  symbol: asset,
  /** What arrives; the fee is debited beside it. */
  amount,
  fee: amount,
  address,
  /** Whether that is the member's own wallet. */
  own: z.boolean(),
  planVersion,
  requestedAt: moment,
  /** Every reason that holds it now, and its end; null where no time ends it: operators must decide, or all be found well. */
  holds: z.array(z.object({ reason: z.enum(transferHoldReasons), endsAt: z.nullable(moment) })),
  /** Where nothing holds it and it is not on its way yet. `until` is known of a pause alone. */
  queue: z.nullable(z.object({ reason: z.enum(queueReasons), until: z.nullable(moment) })),
  cancellable: z.boolean(),
  /** What has happened, in its order. A step that was taken back is not there any more. */
  steps: z.array(z.object({ state: z.enum(transferStates), at: moment })),
  tx: z.nullable(transactionHash),
  /** What the operators said when they rejected it. */
  note: z.nullable(z.string()),
})

export const orderRoutes = {
  'order/list': memberRoute('GET', '/order/list', {
    summary: 'The member’s orders of one type, newest first',
    request: {
      ...page,
      type: z.literal(String(orderTypes.transferOut)),
      symbol: z.optional(asset),
      status: z.optional(z.enum(['0', '1', '2', '3'])),
    },
    data: z.object({ items: z.array(transferOrder), next: z.nullable(z.string()) }),
    exit: true,
  }),

  'order/detail': memberRoute('GET', '/order/detail', {
    summary: 'One order of the member’s',
    request: { id: orderId },
    data: transferOrder,
    refusals: ['order-unknown'],
    exit: true,
  }),
}
