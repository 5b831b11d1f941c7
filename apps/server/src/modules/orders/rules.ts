import { orderStatuses, type PaidOrderState, type PaymentState, paymentMethods } from '@lode/wire'
import type { Hex } from 'viem'
import type { OrderRow } from './order-row.ts'

/**
 * The state of an order, computed from the stored facts whenever it is needed. It is not stored.
 *
 *                     seen on the chain                final
 *        paying ───────────────────────► confirming ─────────► success
 *          │  ▲                            │    ▲        └────► failed (the level could no longer be bought)
 *          │  └──── reorganized ───────────┤    │
 *          │ canceled, or                  │    │ seen
 *          │ past the deadline             ▼    │
 *          └────────────────────────────► closing ────────────► failed
 *                                                   a block after the deadline
 *                                                   is posted
 *
 * Only the chain can end a quote. After a cancellation, the quote may still be in a wallet or in a pending transaction,
 * and the vault accepts it until the deadline. So the order stays open until the quote can no longer be paid, and a
 * payment before that still counts. On the wire, closing has the same status 2 as paying. An order without an online
 * part is settled when it is made, and is never open.
 */
export function stateOf({ ended, seen, cancelledAt, deadline }: OrderStateFacts, now: Date): PaidOrderState {
  if (ended !== null) return ended
  if (seen) return 'confirming'
  return cancelledAt || deadline === null || now > deadline ? 'closing' : 'paying'
}

type OrderStateFacts = Pick<OrderRow, 'ended' | 'seen' | 'cancelledAt' | 'deadline'>

export const statusOf = {
  paying: orderStatuses.paying,
  closing: orderStatuses.paying,
  confirming: orderStatuses.confirming,
  success: orderStatuses.success,
  failed: orderStatuses.failed,
} as const satisfies Record<PaidOrderState, number>

export function determineMethod({ amount, balancePart }: Pick<OrderRow, 'amount' | 'balancePart'>) {
  if (balancePart === 0n) return paymentMethods.online
  return balancePart === amount ? paymentMethods.balance : paymentMethods.mixed
}

/** The payment's hash: the final one, or else the one seen in a block, or else the one that the client reported. */
export const txOf = ({ paid, seen, submitted }: Pick<OrderRow, 'paid' | 'seen' | 'submitted'>): Hex | null =>
  (paid ?? seen ?? submitted)?.tx ?? null

/** The state of an order's payment; null if there is no payment. */
export function paymentOf(order: PaymentFacts): { state: PaymentState; at: Date } | null {
  const { ended, endedAt, paid, seen, submitted, deadline, madeAt } = order
  if (ended === 'success') return { state: 'confirmed', at: paid?.at ?? endedAt ?? madeAt }
  if (paid) return { state: 'credited', at: paid.at }
  if (seen) return { state: 'confirming', at: seen.at }
  return submitted && deadline && ended === null ? { state: 'sent', at: submitted.at } : null
}

type PaymentFacts = Pick<OrderRow, 'ended' | 'endedAt' | 'paid' | 'seen' | 'submitted' | 'deadline' | 'madeAt'>
