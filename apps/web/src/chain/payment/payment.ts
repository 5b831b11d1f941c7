import type { Asset } from '@lode/kernel'
import type { Address, Hex } from 'viem'
import type { WalletProblem } from '../errors.ts'

/**
 * What the payment is for. purposes.ts has the rules of each kind: the call that pays, and how to check that it was
 * paid.
 */
type Purpose = { readonly kind: 'deposit' } | OrderPurpose

/** An order with the terms of its quote. Payer, token and amount are fields of the intent. */
export type OrderPurpose = {
  readonly kind: 'order'
  /** The order's id in the pool, and its id in the vault. */
  readonly id: string
  readonly orderId: Hex
  /** The last second of the chain's time at which the vault accepts the payment. */
  readonly deadline: number
  readonly signature: Hex
}

/**
 * What the member wants to pay, fixed when it presses the button. It contains everything that is needed to continue
 * from the chain alone, if the session ends or the server does not answer.
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

/** The requests that a wallet can get, each for the exact amount. */
export type Request = 'reset' | 'approve' | 'permit' | 'pay'

/** Why the payment waits for the member. No money has moved in any of these cases. */
export type Problem =
  | { readonly kind: 'wallet'; readonly what: Exclude<WalletProblem, 'refused'> }
  | { readonly kind: 'no-wallet' }
  | { readonly kind: 'other-account' }
  | { readonly kind: 'other-network' }
  | { readonly kind: 'no-node' }
  | { readonly kind: 'would-fail'; readonly why: WouldFail }
  /** The approval failed, was replaced in the wallet, or was lowered there below the amount. */
  | { readonly kind: 'approval'; readonly what: 'reverted' | 'replaced' | 'short' }
  | { readonly kind: 'permit-unsupported' }
  /** The browser could not store the request, so the wallet was not asked. */
  | { readonly kind: 'not-kept' }

/** `late`: past the order's deadline. `spent`: the order is already paid. */
export type WouldFail = 'vault-paused' | 'balance' | 'late' | 'spent' | 'other'

/**
 * Why the outcome of a payment is unknown.
 * - `answer-lost`: the wallet was asked and its answer never came, for example after a reload.
 * - `not-seen`: the network does not know the transaction that the wallet named.
 * - `overtaken`: the network does not know it, and the account has sent other transactions since.
 * - `no-node`: the chain cannot be read.
 */
export type Unknown = 'answer-lost' | 'not-seen' | 'overtaken' | 'no-node'

export type Block = { readonly number: number; readonly hash: Hex }

/** A payment that a wallet sent. The nonce comes from the network and is null until the network has shown it. */
export type Sent = { readonly hash: Hex; readonly nonce: number | null }

export type Stage =
  /** The chain is being read to find the next request. No wallet is open. */
  | { readonly at: 'checking' }
  /** Waits for the member's press. */
  | { readonly at: 'paused'; readonly problem: Problem | null }
  /** The wallet is open. */
  | { readonly at: 'asking'; readonly request: Request; readonly nonce: number; readonly since: number }
  | {
      readonly at: 'approving'
      readonly request: 'reset' | 'approve'
      readonly hash: Hex
      readonly nonce: number
      readonly since: number
    }
  | { readonly at: 'sent'; readonly hash: Hex; readonly since: number }
  | { readonly at: 'unknown'; readonly why: Unknown; readonly since: number }
  /** The wallet's node shows it in a block. The pool has not reported it yet. */
  | { readonly at: 'mined'; readonly hash: Hex; readonly block: Block; readonly since: number }
  /** The pool has seen the payment and waits until it is final. */
  | { readonly at: 'confirming'; readonly hash: Hex; readonly block: Block | null; readonly since: number }
  | { readonly at: 'credited'; readonly hash: Hex; readonly since: number }
  /** The member said no in the wallet. No message is shown and nothing is stored. */
  | { readonly at: 'refused'; readonly request: Request }
  | { readonly at: 'failed'; readonly why: Failed; readonly hash: Hex; readonly since: number }
  /**
   * The pool reports that the chain has passed the deadline without a payment: nothing was paid, and nothing can be.
   */
  | { readonly at: 'lapsed'; readonly since: number }

/** `replaced`: another transaction of the same account, named here, used the nonce. */
export type Failed = { readonly kind: 'reverted' } | { readonly kind: 'replaced'; readonly by: Hex }

export type Payment = {
  readonly intent: Intent
  /** The requests that the wallet has answered, and those that are left. The first one left is the current request. */
  readonly done: readonly Request[]
  readonly left: readonly Request[]
  /** False once the wallet has said that it cannot sign permits. */
  readonly permits: boolean
  /** The latest block when the wallet was first asked to pay; null before that. The payment is in no earlier block. */
  readonly fromBlock: number | null
  /**
   * The wallet was asked to pay, and nothing proves that it sent nothing. The app looks for the payment until it finds
   * it.
   */
  readonly mayBeOut: boolean
  /** The member has hidden a payment of which nothing was heard. It is shown again if it arrives. */
  readonly aside: boolean
  /** Every payment that is known to have been sent, oldest first. None is ever removed. */
  readonly sent: readonly Sent[]
  readonly stage: Stage
}

export type In<At extends Stage['at']> = Extract<Stage, { at: At }>

/** The payment has ended: nothing more happens to it, and the app need not follow it. */
export const isEnded = ({ stage }: Payment): boolean =>
  stage.at === 'credited' || stage.at === 'failed' || stage.at === 'refused' || stage.at === 'lapsed'

/** Nothing happens to the payment until the member acts. */
export const isAtRest = (payment: Payment): boolean =>
  (payment.stage.at === 'paused' && !payment.mayBeOut) || isEnded(payment)

/** The member may give it up: no payment was sent, and no open request can still send one. */
export const mayGiveUp = ({ stage, mayBeOut }: Payment): boolean =>
  !mayBeOut && (stage.at === 'paused' || stage.at === 'approving')

/**
 * The member may hide it: nothing was heard of it since the wallet's answer was lost. That stays so forever if the
 * member refused in a wallet whose answer this page missed. The app still looks for it, and an equal new payment finds
 * it.
 */
export const mayPutAside = ({ stage, sent }: Payment): boolean => stage.at === 'unknown' && sent.length === 0

/** The wallet may be asked to pay, or asked again: as far as the app can see, the payment is not on the chain. */
export const mayAskAgain = ({ stage }: Payment): boolean =>
  stage.at === 'paused' || (stage.at === 'unknown' && stage.why !== 'no-node')

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

/** The payment of an order whose deadline passed before the wallet was asked to pay. It cannot continue. */
export const isStale = ({ intent: { purpose }, stage, mayBeOut }: Payment, now: number): boolean =>
  purpose.kind === 'order' && stage.at === 'paused' && !mayBeOut && purpose.deadline * 1_000 < now
