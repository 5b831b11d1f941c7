import type { Hex } from 'viem'
import type { Event } from './next.ts'
import type { Payment } from './payment.ts'
import type { Credit } from './purpose-rules.ts'
import type { Receipt } from './reads.ts'

/** What the chain shows about one transaction. */
export type Trace = {
  readonly hash: Hex
  readonly receipt: Receipt | null
  /**
   * The nonce of a transaction that the network knows and that is in no block. Null if the network does not know it.
   */
  readonly waiting: { readonly nonce: number } | null
}

/** What the chain shows about a payment. */
export type Sight = {
  readonly traces: readonly Trace[]
  /** A transaction that makes this payment and was not known before. */
  readonly found: Hex | null
  /** The transaction that used the nonce of ours. `by` is null if only the account's transaction count shows it. */
  readonly overtaken: { readonly hash: Hex; readonly by: Hex | null } | null
}

export type Glance = {
  /** Null if the chain could not be read; `blind` counts the failed reads in a row. */
  readonly sight: Sight | null
  readonly blind: number
  /** The pool's answer, and the transaction that it is about. */
  readonly credit: { readonly hash: Hex; readonly says: Credit } | null
  readonly now: number
}

/** Networks forward a transaction within seconds; the wallet's own node knows it at once. */
export const NOT_SEEN_MS = 15_000
/** One missing answer can be a short disturbance. */
export const BLIND_LOOKS = 2

/** Turns one look at the chain and the pool into an event. Null if nothing is new. The pool's ledger has priority. */
export function judge(payment: Payment, { sight, blind, credit, now }: Glance): Event | null {
  const { stage } = payment
  if (credit?.says === 'credited') return { type: 'pool-credited', hash: credit.hash, now }
  const seen = credit?.says === 'confirming' && stage.at !== 'confirming'
  if (seen) return { type: 'pool-saw', hash: credit.hash, now }

  if (sight === null) {
    const unsure = stage.at === 'sent' || (stage.at === 'unknown' && stage.why !== 'answer-lost')
    return unsure && blind >= BLIND_LOOKS ? { type: 'lost-sight', why: 'no-node', now } : null
  }

  const success = sight.traces.find(({ receipt }) => receipt?.success)
  if (success?.receipt) return { type: 'mined', hash: success.hash, block: success.receipt.block, now }
  if (sight.found) return { type: 'found', hash: sight.found, now }
  // The wallet's node no longer shows the transaction. If the pool still does, the node is only behind the pool's.
  if (stage.at === 'mined' || stage.at === 'confirming')
    return credit?.says === 'confirming' ? null : { type: 'unmined', now }

  const waiting = sight.traces.filter((trace) => trace.waiting !== null).at(-1)
  if (waiting?.waiting) return { type: 'pending', hash: waiting.hash, nonce: waiting.waiting.nonce, now }
  const reverted = sight.traces.filter(({ receipt }) => receipt !== null).at(-1)
  if (reverted && reverted === sight.traces.at(-1)) return { type: 'reverted', hash: reverted.hash, now }
  if (sight.overtaken) {
    const { hash, by } = sight.overtaken
    return by ? { type: 'replaced', hash, by, now } : { type: 'lost-sight', why: 'overtaken', now }
  }
  const isOverdue = stage.at === 'sent' && now - stage.since >= NOT_SEEN_MS
  const canSeeAgain = stage.at === 'unknown' && stage.why === 'no-node'
  return isOverdue || canSeeAgain ? { type: 'lost-sight', why: 'not-seen', now } : null
}
