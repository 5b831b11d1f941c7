import type { Hex } from 'viem'
import type { Event } from './next.ts'
import type { Payment } from './payment.ts'
import type { Credit } from './purpose-rules.ts'
import type { Receipt } from './reads.ts'

/** What the chain shows of one transaction. */
export type Trace = {
  readonly hash: Hex
  readonly receipt: Receipt | null
  /** Its nonce, where the network knows it and has not put it into a block; null where it does not know it. */
  readonly waiting: { readonly nonce: number } | null
}

/** What the chain shows of a payment. */
export type Sight = {
  readonly traces: readonly Trace[]
  /** A transaction that makes this payment, and was not known to. */
  readonly found: Hex | null
  /** Who stands where a transaction of ours would have to stand. `by` is null where only the account's count tells of it. */
  readonly overtaken: { readonly hash: Hex; readonly by: Hex | null } | null
}

export type Glance = {
  /** Null where the chain could not be asked, for `blind` times in a row. */
  readonly sight: Sight | null
  readonly blind: number
  /** What the pool says, and of which transaction. */
  readonly credit: { readonly hash: Hex; readonly says: Credit } | null
  readonly now: number
}

/** Networks pass a transaction on within seconds; a wallet's own node knows it at once. */
export const NOT_SEEN_MS = 15_000
/** One answer that fails to come may be a hiccup. */
export const BLIND_LOOKS = 2

/** What a look at the chain and the pool means. Null where it means nothing new. The pool's books come first. */
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
  // The wallet's node no longer shows it. While the pool still does, the two only differ in how far they are.
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
