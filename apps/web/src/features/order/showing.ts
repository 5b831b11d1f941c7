import { isEnded, type Payment } from '../../chain/payment/index.ts'
import { hasEnded, type PaidOrder } from './order.ts'

/**
 * What the sheet shows: the order as the pool knows it, the form to pay it, or the payment that this browser has
 * started. A payment continues from the chain alone if the pool does not answer.
 */
export type Showing =
  | { readonly kind: 'loading' }
  | { readonly kind: 'order' | 'pay'; readonly order: PaidOrder }
  | { readonly kind: 'payment'; readonly payment: Payment }

export function showingOf(order: PaidOrder | undefined, payment: Payment | undefined): Showing {
  if (!order) return payment ? { kind: 'payment', payment } : { kind: 'loading' }
  if (payment && !hasEnded(order) && isInFront(order, payment)) return { kind: 'payment', payment }
  return { kind: order.state === 'paying' ? 'pay' : 'order', order }
}

const isInFront = (order: PaidOrder, payment: Payment): boolean =>
  isEnded(payment) ? order.state === 'paying' && payment.stage.at === 'failed' : !isIdle(order, payment)

/** The payment was never sent, and the order can no longer be paid. */
export const isIdle = ({ state }: Pick<PaidOrder, 'state'>, { stage, mayBeOut }: Payment): boolean =>
  state !== 'paying' && stage.at === 'paused' && !mayBeOut
