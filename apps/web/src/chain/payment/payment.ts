import type { Asset } from '@lode/kernel'
import type { Address, Hex } from 'viem'
import type { WalletProblem } from '../wallet-problem.ts'

/**
 * What the payment is for. select-purpose-rules.ts selects the rules of each kind: the call that pays, and how to check
 * that it was paid.
 */
type Purpose = { readonly kind: 'deposit' } | OrderPurpose

/** An order with the terms of its quote. Payer, token and amount are fields of the intent. */
export type OrderPurpose = {
  readonly kind: 'order'
  /** The order's id in the pool. `orderId` is its id in the vault. */
  readonly id: string
  readonly orderId: Hex
  /** The last second of the chain's time at which the vault accepts the payment. */
  readonly deadline: number
  readonly signature: Hex
}

/**
 * What the member wants to pay, fixed when the member presses the button. It has all fields that the app needs to
 * continue from the chain alone, if the session ends or the server does not answer.
 */
export type Intent = {
  readonly id: string
  readonly purpose: Purpose
  readonly account: Address
  readonly chainId: number
  readonly vault: Address
  readonly symbol: Asset
  readonly token: Address
  readonly decimals: number
  readonly units: bigint
  readonly explorerUrl: string | null
  readonly finalityMinutes: number
  readonly createdAt: number
}

/** The terms of a payment that has not begun. */
export type PaymentTerms = Omit<Intent, 'id' | 'createdAt'>

/** The requests that a wallet can get. `reset` sets the allowance to zero; the others are for the exact amount. */
export type WalletRequest = 'reset' | 'approve' | 'permit' | 'pay'

/** Why the payment waits for the member. This payment has moved no money in any of these cases. */
export type PaymentProblem =
  | { readonly kind: 'wallet'; readonly what: Exclude<WalletProblem, 'refused'> }
  | { readonly kind: 'no-wallet' }
  | { readonly kind: 'other-account' }
  | { readonly kind: 'other-network' }
  | { readonly kind: 'no-node' }
  | { readonly kind: 'would-fail'; readonly why: PredictedFailure }
  /** The approval failed, was replaced in the wallet, or was lowered there below the amount. */
  | { readonly kind: 'approval'; readonly what: 'reverted' | 'replaced' | 'short' }
  | { readonly kind: 'permit-unsupported' }
  /** The browser could not store the request, so the wallet was not asked. */
  | { readonly kind: 'not-kept' }

/** `late`: past the order's deadline. `spent`: the order is already paid. */
export type PredictedFailure = 'vault-paused' | 'balance' | 'late' | 'spent' | 'other'

/**
 * Why the outcome of a payment is unknown.
 * - `answer-lost`: the wallet was asked and no usable answer came, for example after a reload or with an error that
 *   does not prove that nothing was sent.
 * - `unsearched`: as before, and the chain cannot be searched for the payment now.
 * - `not-seen`: the network does not know the transaction that the wallet named.
 * - `overtaken`: the network does not know it, and another transaction of the account has used its nonce.
 * - `no-node`: the chain cannot be read.
 */
export type UnknownReason = 'answer-lost' | 'unsearched' | 'not-seen' | 'overtaken' | 'no-node'

export type Block = { readonly number: number; readonly hash: Hex }

/** A transaction that the wallet sent to pay. Its nonce comes from the network and is null until then. */
export type SentTransaction = { readonly hash: Hex; readonly nonce: number | null }

export type Stage =
  /** The chain is being read to find the next request. No wallet is open. */
  | { readonly at: 'checking' }
  /** Waits for the member's press. */
  | { readonly at: 'paused'; readonly problem: PaymentProblem | null }
  /** The wallet is open. */
  | { readonly at: 'asking'; readonly request: WalletRequest; readonly nonce: number; readonly since: number }
  | {
      readonly at: 'approving'
      readonly request: 'reset' | 'approve'
      readonly hash: Hex
      readonly nonce: number
      readonly since: number
    }
  | { readonly at: 'sent'; readonly hash: Hex; readonly since: number }
  | { readonly at: 'unknown'; readonly why: UnknownReason; readonly since: number }
  /** The wallet's node shows the transaction in a block. The pool has not reported it yet. */
  | { readonly at: 'mined'; readonly hash: Hex; readonly block: Block; readonly since: number }
  /** The pool has seen the payment and waits until it is final. */
  | { readonly at: 'confirming'; readonly hash: Hex; readonly block: Block | null; readonly since: number }
  /** `toBalance`: the money is in the member's balance. False if it settled an order. */
  | { readonly at: 'credited'; readonly hash: Hex; readonly toBalance: boolean; readonly since: number }
  /** The member said no in the wallet. No message is shown and nothing is stored. */
  | { readonly at: 'refused'; readonly request: WalletRequest }
  | { readonly at: 'failed'; readonly why: FailureReason; readonly hash: Hex; readonly since: number }
  /**
   * The pool reports that the chain has passed the deadline without a payment: nothing was paid, and nothing can be.
   */
  | { readonly at: 'lapsed'; readonly since: number }

/** `replaced`: another transaction of the same account, named here, used the nonce. */
export type FailureReason = { readonly kind: 'reverted' } | { readonly kind: 'replaced'; readonly by: Hex }

export type Payment = {
  readonly intent: Intent
  /**
   * The requests that were completed since the member's last press, and those that are left. The first one left is the
   * current request.
   */
  readonly done: readonly WalletRequest[]
  readonly left: readonly WalletRequest[]
  /** False once the wallet has said that it cannot sign permits. */
  readonly permits: boolean
  /** The latest block when the wallet was first asked to pay; null before that. The payment is in no earlier block. */
  readonly fromBlock: number | null
  /**
   * The wallet was asked to pay, and nothing proves that it sent nothing. The app looks for the payment until it knows
   * the outcome.
   */
  readonly mayBeOut: boolean
  /** The member has hidden this payment, of which no transaction was found. It is shown again when one is found. */
  readonly aside: boolean
  /** Every transaction that is known to have been sent for this payment, oldest first. None is ever removed. */
  readonly sent: readonly SentTransaction[]
  readonly stage: Stage
}

export type StageAt<At extends Stage['at']> = Extract<Stage, { at: At }>

/** The payment has ended: nothing more happens to it, and the app need not follow it. */
export const isEnded = ({ stage }: Payment): boolean =>
  stage.at === 'credited' || stage.at === 'failed' || stage.at === 'refused' || stage.at === 'lapsed'

/**
 * Nothing happens to the payment until the member acts. A failure is followed until it is final, because a
 * reorganization of the chain can undo it.
 */
export function isAtRest(payment: Payment, now: number): boolean {
  const { stage, intent } = payment
  if (stage.at === 'failed') return now - stage.since >= intent.finalityMinutes * 60_000
  return (stage.at === 'paused' && !payment.mayBeOut) || isEnded(payment)
}

/** The member may give the payment up: nothing was paid, and no open request can still pay. */
export const mayGiveUp = ({ stage, mayBeOut }: Payment): boolean =>
  !mayBeOut && (stage.at === 'paused' || stage.at === 'approving')

/**
 * The member may hide the payment: the wallet's answer was lost, and no transaction was found. If the member refused in
 * the wallet and this page missed that answer, none will ever be found. The app still looks for a hidden payment, and
 * an equal new payment rejoins it.
 */
export const mayHide = ({ stage, sent }: Payment): boolean => stage.at === 'unknown' && sent.length === 0

/**
 * The app may ask the wallet to pay, also a second time: the chain was searched, and the payment is not on it.
 */
export const mayAskAgain = ({ stage }: Payment): boolean =>
  stage.at === 'paused' || (stage.at === 'unknown' && stage.why !== 'no-node' && stage.why !== 'unsearched')

/**
 * Both intents are for the same payment. A second payment would be a mistake unless the member confirms that it is
 * wanted.
 */
export const isEquivalent = (left: Intent, right: Intent): boolean =>
  isSamePurpose(left.purpose, right.purpose) &&
  left.account === right.account &&
  left.chainId === right.chainId &&
  left.token === right.token &&
  left.units === right.units

const isSamePurpose = (left: Purpose, right: Purpose): boolean =>
  left.kind === 'order' ? right.kind === 'order' && left.orderId === right.orderId : left.kind === right.kind

/** How long a credited payment is shown on later visits. The records show it for ever. */
const CREDITED_SHOWN_MS = 3_600_000

/**
 * True for a payment that the next visit need not show: an order whose deadline has passed without anything sent to pay
 * it, and a payment that was credited an hour ago.
 */
export function isStale({ intent: { purpose }, stage, mayBeOut }: Payment, now: number): boolean {
  if (stage.at === 'credited') return stage.since + CREDITED_SHOWN_MS < now
  return purpose.kind === 'order' && stage.at === 'paused' && !mayBeOut && purpose.deadline * 1_000 < now
}
