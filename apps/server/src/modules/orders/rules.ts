import { orderStatuses, type PaidOrderState, type PaymentState, paymentMethods } from '@lode/wire'
import type { Hex } from 'viem'
import type { OrderRow } from './row.ts'

/**
 * Where an order stands: one function of what is known, asked anew whenever anybody wants to know.
 *
 *                     seen on the chain                final
 *        paying ───────────────────────► confirming ─────────► success
 *          │  ▲                            │    ▲        └────► failed (its level was not to be had any more)
 *          │  └──── reorganised ───────────┤    │
 *          │ cancelled, or                 │    │ seen
 *          │ past the deadline             ▼    │
 *          └────────────────────────────► closing ────────────► failed
 *                                                   the books have passed a block
 *                                                   whose time is past the deadline
 *
 * Only the chain ends a quote. A cancelled order's quote may still be in a wallet, or in a transaction on its way, and the vault takes
 * it up to the deadline; so the order stays open until nothing can come of it any more, and what comes counts. On the wire
 * closing is status 2, as paying is. An order without an online part is settled as it is made, and is never open.
 */
export function stateOf({ ended, seen, cancelledAt, deadline }: Facts, now: Date): PaidOrderState {
  if (ended !== null) return ended
  if (seen) return 'confirming'
  return cancelledAt || deadline === null || now > deadline ? 'closing' : 'paying'
}

type Facts = Pick<OrderRow, 'ended' | 'seen' | 'cancelledAt' | 'deadline'>

export const statusOf = {
  paying: orderStatuses.paying,
  closing: orderStatuses.paying,
  confirming: orderStatuses.confirming,
  success: orderStatuses.success,
  failed: orderStatuses.failed,
} as const satisfies Record<PaidOrderState, number>

export function methodOf({ amount, balancePart }: Pick<OrderRow, 'amount' | 'balancePart'>) {
  if (balancePart === 0n) return paymentMethods.online
  return balancePart === amount ? paymentMethods.balance : paymentMethods.mixed
}

/** What is known last: final, seen, or only told by the client. */
export const txOf = ({ paid, seen, submitted }: Pick<OrderRow, 'paid' | 'seen' | 'submitted'>): Hex | null =>
  (paid ?? seen ?? submitted)?.tx ?? null

/** How far the payment of an order has come; null where there is none. */
export function paymentOf(order: PaymentFacts): { state: PaymentState; at: Date } | null {
  const { ended, endedAt, paid, seen, submitted, deadline, madeAt } = order
  if (ended === 'success') return { state: 'confirmed', at: paid?.at ?? endedAt ?? madeAt }
  if (paid) return { state: 'credited', at: paid.at }
  if (seen) return { state: 'confirming', at: seen.at }
  return submitted && deadline && ended === null ? { state: 'sent', at: submitted.at } : null
}

type PaymentFacts = Pick<OrderRow, 'ended' | 'endedAt' | 'paid' | 'seen' | 'submitted' | 'deadline' | 'madeAt'>
