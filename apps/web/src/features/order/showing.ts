import { isEnded, type Payment } from '../../chain/payment/index.ts'
import { hasEnded, type PaidOrder } from './order.ts'

/**
 * What is in front: the order as the pool knows it, the way to pay it, or the payment that this browser has begun. The last goes on
 * from the chain alone where the pool cannot be asked.
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

/** It was never sent, and the order takes none any more. */
export const isIdle = ({ state }: Pick<PaidOrder, 'state'>, { stage, mayBeOut }: Payment): boolean =>
  state !== 'paying' && stage.at === 'paused' && !mayBeOut
