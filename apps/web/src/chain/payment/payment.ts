import type { Asset } from '@lode/kernel'
import type { Address, Hex } from 'viem'
import type { WalletProblem } from '../errors.ts'

/** What is paid for. Each kind has its rules in purposes.ts: the call that pays, and how to ask whether it was paid. */
export type Purpose = { readonly kind: 'deposit' }

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

export type WouldFail = 'vault-paused' | 'balance' | 'other'

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
  /** Every payment that is known to have been sent, the oldest first. None is ever forgotten. */
  readonly sent: readonly Sent[]
  readonly stage: Stage
}

export type In<At extends Stage['at']> = Extract<Stage, { at: At }>

/** Nothing more happens to it by itself, and nothing is owed to it. */
export const isEnded = ({ stage }: Payment): boolean =>
  stage.at === 'credited' || stage.at === 'failed' || stage.at === 'refused'

/** Nothing happens to it until the member does something. */
export const isAtRest = (payment: Payment): boolean => payment.stage.at === 'paused' || isEnded(payment)

/** The member may leave it: no payment was sent, and none can be on its way. */
export const mayGiveUp = ({ stage, sent }: Payment): boolean =>
  sent.length === 0 &&
  (stage.at === 'paused' || stage.at === 'approving' || (stage.at === 'unknown' && stage.why === 'answer-lost'))

/** The wallet may be asked to pay (again): there is nothing of it on the chain, as far as can be seen. */
export const mayAskAgain = ({ stage }: Payment): boolean =>
  stage.at === 'paused' || (stage.at === 'unknown' && stage.why !== 'no-node')

/** The same wish: paying it a second time would be a mistake unless the member says that it is not. */
export const isEquivalent = (left: Intent, right: Intent): boolean =>
  left.purpose.kind === right.purpose.kind &&
  left.account === right.account &&
  left.chainId === right.chainId &&
  left.token === right.token &&
  left.units === right.units
