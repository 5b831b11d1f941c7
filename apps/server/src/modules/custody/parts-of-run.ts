import type { Movement, PaymentMovement } from './interpret-logs.ts'

/** Some payments of a run, which are posted in one database transaction. */
export type PaymentPart = ReadonlySet<Movement>

/** Settling a payment takes a few milliseconds, and the places of its receivers stay locked until the commit. */
const MAX_PAYMENTS = 50

/**
 * Divides the payments of a run that has many of them, in chain order. None: the run is posted whole. What is not a
 * payment is posted first, and together: for example, a burn depends on the fees of payouts. Nothing of it depends on
 * payments, and if it cannot be posted, nothing of the run is.
 */
export function dividePayments(movements: readonly Movement[]): PaymentPart[] {
  const payments = movements.filter(isPayment)
  if (payments.length <= MAX_PAYMENTS) return []
  return Array.from(
    { length: Math.ceil(payments.length / MAX_PAYMENTS) },
    (_, index) => new Set<Movement>(payments.slice(index * MAX_PAYMENTS, (index + 1) * MAX_PAYMENTS)),
  )
}

export const isPayment = (movement: Movement): movement is PaymentMovement => movement.kind === 'payment'
