import type { Hex } from 'viem'
import type { Receipt } from './chain-reader.ts'
import type { Payment } from './payment.ts'
import type { PaymentEvent } from './payment-machine.ts'
import type { Credit } from './purpose-rules.ts'

/** What the chain shows about one transaction. */
export type TransactionSnapshot = {
  readonly hash: Hex
  readonly receipt: Receipt | null
  /**
   * The nonce of a transaction that waits for a block. Null if a block holds it, or if the network does not know it.
   */
  readonly waiting: { readonly nonce: number } | null
}

/** What the chain shows about a payment. */
export type ChainSnapshot = {
  /** One for each transaction that is known to have been sent for this payment, oldest first. */
  readonly traces: readonly TransactionSnapshot[]
  /** A transaction that makes this payment and was not known before. */
  readonly found: Hex | null
  /**
   * Our last transaction (`hash`), if another one (`by`) has used its nonce. `by` is null if only the account's
   * transaction count shows that the nonce is used.
   */
  readonly overtaken: { readonly hash: Hex; readonly by: Hex | null } | null
}

export type Observation = {
  /** Null if the chain could not be read; `failedReads` counts the failed reads in a row. */
  readonly snapshot: ChainSnapshot | null
  readonly failedReads: number
  /** The pool's answer about one transaction. */
  readonly credit: { readonly hash: Hex; readonly state: Credit; readonly toBalance: boolean } | null
  readonly now: number
}

/**
 * A sent transaction that the node does not know after this time counts as not seen. Networks forward a transaction
 * within seconds, and the wallet's own node knows it at once.
 */
export const NOT_SEEN_MS = 15_000
/** From this many failed reads in a row on, the member is told. One missing answer can be a short disturbance. */
export const REPORTED_FAILED_READS = 2

/**
 * Turns the answers of chain and pool into an event. Null if there is nothing to report. An event can repeat what the
 * payment already shows; then it changes nothing. The pool's answer has priority.
 */
export function deriveEvent(
  payment: Payment,
  { snapshot, failedReads, credit, now }: Observation,
): PaymentEvent | null {
  const { stage } = payment
  if (credit?.state === 'credited')
    return { type: 'pool-credited', hash: credit.hash, toBalance: credit.toBalance, now }
  const seen = credit?.state === 'confirming' && stage.at !== 'confirming'
  if (seen) return { type: 'pool-saw', hash: credit.hash, now }

  if (snapshot === null) {
    const isUncertain = stage.at === 'sent' || stage.at === 'unknown'
    const why = payment.sent.length > 0 ? 'no-node' : 'unsearched'
    return isUncertain && failedReads >= REPORTED_FAILED_READS ? { type: 'lost-sight', why, now } : null
  }

  const success = snapshot.traces.find(({ receipt }) => receipt?.success)
  if (success?.receipt) return { type: 'mined', hash: success.hash, block: success.receipt.block, now }
  if (snapshot.found) return { type: 'found', hash: snapshot.found, now }
  // The wallet's node no longer shows the transaction in a block. If the pool still sees it there, the wallet's node is
  // only behind the pool's.
  if (stage.at === 'mined' || stage.at === 'confirming')
    return credit?.state === 'confirming' ? null : { type: 'unmined', now }

  const waiting = snapshot.traces.filter((trace) => trace.waiting !== null).at(-1)
  if (waiting?.waiting) return { type: 'pending', hash: waiting.hash, nonce: waiting.waiting.nonce, now }
  const reverted = snapshot.traces.filter(({ receipt }) => receipt !== null).at(-1)
  if (reverted && reverted === snapshot.traces.at(-1)) return { type: 'reverted', hash: reverted.hash, now }
  if (snapshot.overtaken) {
    const { hash, by } = snapshot.overtaken
    return by ? { type: 'replaced', hash, by, now } : { type: 'lost-sight', why: 'overtaken', now }
  }
  const isOverdue = stage.at === 'sent' && now - stage.since >= NOT_SEEN_MS
  if (stage.at === 'unknown' && stage.why === 'unsearched') return { type: 'lost-sight', why: 'answer-lost', now }
  const canSeeAgain = stage.at === 'unknown' && stage.why === 'no-node'
  return isOverdue || canSeeAgain ? { type: 'lost-sight', why: 'not-seen', now } : null
}
