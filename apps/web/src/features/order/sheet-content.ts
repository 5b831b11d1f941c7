import { isEnded, type Payment } from '../../chain/payment/index.ts'
import { hasEnded, type PayableOrder } from './order.ts'

/**
 * What the sheet shows: the order as the pool knows it, the form to pay it, or the payment that this browser has
 * started. A payment continues from the chain alone if the pool does not answer.
 */
export type SheetContent =
  | { readonly kind: 'loading' }
  | { readonly kind: 'order' | 'pay'; readonly order: PayableOrder }
  | { readonly kind: 'payment'; readonly payment: Payment }

export function chooseSheetContent(order: PayableOrder | undefined, payment: Payment | undefined): SheetContent {
  if (!order) return payment ? { kind: 'payment', payment } : { kind: 'loading' }
  if (payment && !hasEnded(order) && shouldShowPayment(order, payment)) return { kind: 'payment', payment }
  return { kind: order.state === 'paying' ? 'pay' : 'order', order }
}

/** The order as it was read last can be older than the end of its payment: then the form to pay it would be wrong. */
const shouldShowPayment = (order: PayableOrder, payment: Payment): boolean =>
  isEnded(payment) ? order.state === 'paying' : !isAbandonedPayment(order, payment)

/** The payment was never sent, and the order can no longer be paid. */
export const isAbandonedPayment = ({ state }: Pick<PayableOrder, 'state'>, { stage, mayBeOut }: Payment): boolean =>
  state !== 'paying' && stage.at === 'paused' && !mayBeOut
