import type { Asset } from '@lode/kernel'
import type { Address, Hex } from 'viem'
import type { WalletProblem } from '../errors.ts'

/** What is paid for. Each kind has its rules in purposes.ts: the call that pays, and how to ask whether it was paid. */
type Purpose = { readonly kind: 'deposit' } | OrderPurpose

/** An order of the pool's, by the terms that it signed; payer, token and amount are the payment's own. */
export type OrderPurpose = {
  readonly kind: 'order'
  /** The order's id as the pool knows it, and as the vault does. */
  readonly id: string
  readonly orderId: Hex
  /** Seconds of the chain's time, up to and including which the vault takes it. */
  readonly deadline: number
  readonly signature: Hex
}

/**
 * What the member wants, fixed when it presses the button. It holds all that is needed to go on from the chain alone, should
 * the session end or the server be away.
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

/** What a wallet can be asked for, each for the exact amount. */
export type Request = 'reset' | 'approve' | 'permit' | 'pay'

/** Why nothing goes on until the member says so. Money has not moved in any of them. */
export type Problem =
  | { readonly kind: 'wallet'; readonly what: Exclude<WalletProblem, 'refused'> }
  | { readonly kind: 'no-wallet' }
  | { readonly kind: 'other-account' }
  | { readonly kind: 'other-network' }
  | { readonly kind: 'no-node' }
  | { readonly kind: 'would-fail'; readonly why: WouldFail }
  /** The approval itself failed, was replaced in the wallet, or was lowered there below the amount. */
  | { readonly kind: 'approval'; readonly what: 'reverted' | 'replaced' | 'short' }
  | { readonly kind: 'permit-unsupported' }
  /** The browser did not keep what the wallet was about to be asked for, so it was not asked. */
  | { readonly kind: 'not-kept' }

/** `late`: past the order's deadline; `spent`: the order is paid already. */
export type WouldFail = 'vault-paused' | 'balance' | 'late' | 'spent' | 'other'

/**
 * Why it cannot be said what became of a payment. `answer-lost`: the wallet was asked and its answer never came, as after a
 * reload; `not-seen`: the network does not know the transaction that the wallet named; `overtaken`: it does not, and the
 * account has sent others since; `no-node`: the chain cannot be asked.
 */
export type Unknown = 'answer-lost' | 'not-seen' | 'overtaken' | 'no-node'

export type Block = { readonly number: number; readonly hash: Hex }

/** A payment that a wallet sent. Its nonce is what the network said, and null until the network has shown it. */
export type Sent = { readonly hash: Hex; readonly nonce: number | null }

export type Stage =
  /** The chain is being asked what is needed next. No wallet is open. */
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
  /** In a block, by what the wallet's node says; the pool has not said that it saw it. */
  | { readonly at: 'mined'; readonly hash: Hex; readonly block: Block; readonly since: number }
  /** The pool has seen it, and waits for it to become final. */
  | { readonly at: 'confirming'; readonly hash: Hex; readonly block: Block | null; readonly since: number }
  | { readonly at: 'credited'; readonly hash: Hex; readonly since: number }
  /** The member said no in the wallet: silent, and nothing is left of it. */
  | { readonly at: 'refused'; readonly request: Request }
  | { readonly at: 'failed'; readonly why: Failed; readonly hash: Hex; readonly since: number }
  /** The pool says that the chain has passed the deadline without it: nothing was paid, and nothing can be any more. */
  | { readonly at: 'lapsed'; readonly since: number }

/** `replaced` by another transaction of the same account, which is named. */
export type Failed = { readonly kind: 'reverted' } | { readonly kind: 'replaced'; readonly by: Hex }

export type Payment = {
  readonly intent: Intent
  /** The requests that the wallet has answered, and those still to come: the first of these is the current one. */
  readonly done: readonly Request[]
  readonly left: readonly Request[]
  /** False once the wallet has said that it cannot sign permits. */
  readonly permits: boolean
  /** The last block when the wallet was first asked to pay; null until then. A payment lies in none before it. */
  readonly fromBlock: number | null
  /** The wallet has been asked to pay, and no answer has proved that nothing was sent: it is looked for until it is found. */
  readonly mayBeOut: boolean
  /** The member has heard nothing more of it and wants to see it no more, unless it arrives after all. */
  readonly aside: boolean
  /** Every payment that is known to have been sent, the oldest first. None is ever forgotten. */
  readonly sent: readonly Sent[]
  readonly stage: Stage
}

export type In<At extends Stage['at']> = Extract<Stage, { at: At }>

/** Nothing more happens to it by itself, and nothing is owed to it. */
export const isEnded = ({ stage }: Payment): boolean =>
  stage.at === 'credited' || stage.at === 'failed' || stage.at === 'refused' || stage.at === 'lapsed'

/** Nothing happens to it until the member does something. */
export const isAtRest = (payment: Payment): boolean =>
  (payment.stage.at === 'paused' && !payment.mayBeOut) || isEnded(payment)

/** The member may leave it: no payment was sent, and none can be on its way, not even from a request that is still open. */
export const mayGiveUp = ({ stage, mayBeOut }: Payment): boolean =>
  !mayBeOut && (stage.at === 'paused' || stage.at === 'approving')

/**
 * The member may put it aside: nothing was heard of it since its request was lost, which is so for ever where the member said
 * no to a wallet that this page no longer heard. It is still looked for, and an equal one still finds it.
 */
export const mayPutAside = ({ stage, sent }: Payment): boolean => stage.at === 'unknown' && sent.length === 0

/** The wallet may be asked to pay (again): there is nothing of it on the chain, as far as can be seen. */
export const mayAskAgain = ({ stage }: Payment): boolean =>
  stage.at === 'paused' || (stage.at === 'unknown' && stage.why !== 'no-node')

/** The same wish: paying it a second time would be a mistake unless the member says that it is not. */
export const isEquivalent = (left: Intent, right: Intent): boolean =>
  isSamePurpose(left.purpose, right.purpose) &&
  left.account === right.account &&
  left.chainId === right.chainId &&
  left.token === right.token &&
  left.units === right.units

const isSamePurpose = (left: Purpose, right: Purpose): boolean =>
  left.kind === 'order' ? right.kind === 'order' && left.orderId === right.orderId : left.kind === right.kind

/** An order's that was never begun, and whose deadline is past: there is nothing left to go on with. */
export const isStale = ({ intent: { purpose }, stage, mayBeOut }: Payment, now: number): boolean =>
  purpose.kind === 'order' && stage.at === 'paused' && !mayBeOut && purpose.deadline * 1_000 < now
