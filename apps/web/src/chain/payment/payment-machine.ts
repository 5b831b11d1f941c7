import { assertNever } from '@lode/kernel'
import type { Hex } from 'viem'
import {
  type Block,
  type FailureReason,
  type Intent,
  isEnded,
  mayAskAgain,
  mayHide,
  type Payment,
  type PaymentProblem,
  type Stage,
  type UnknownReason,
  type WalletRequest,
} from './payment.ts'

/** Everything that can happen to a payment. Events carry `now`, because the machine has no clock. */
export type PaymentEvent =
  /**
   * The page was reloaded, this tab took the payment over from a closed tab, or the member stopped waiting for the
   * wallet.
   */
  | { readonly type: 'resumed'; readonly now: number }
  /** The member pressed the button. */
  | { readonly type: 'go' }
  | {
      readonly type: 'asked'
      /** The requests that are left; the wallet is being asked for the first one now. */
      readonly left: readonly [WalletRequest, ...WalletRequest[]]
      readonly nonce: number
      readonly block: number
      readonly now: number
    }
  | { readonly type: 'permit-signed' }
  | { readonly type: 'permit-unsupported'; readonly now: number }
  | { readonly type: 'approval-sent'; readonly hash: Hex; readonly now: number }
  | { readonly type: 'approved' }
  | { readonly type: 'pay-sent'; readonly hash: Hex; readonly now: number }
  | { readonly type: 'refused'; readonly now: number }
  | { readonly type: 'stopped'; readonly problem: PaymentProblem | null; readonly now: number }
  | { readonly type: 'answer-lost'; readonly now: number }
  /** The network knows the transaction and has not put it into a block. */
  | { readonly type: 'pending'; readonly hash: Hex; readonly nonce: number; readonly now: number }
  | { readonly type: 'lost-sight'; readonly why: UnknownReason; readonly now: number }
  | { readonly type: 'mined'; readonly hash: Hex; readonly block: Block; readonly now: number }
  /** A reorganization took the transaction out of its block. */
  | { readonly type: 'unmined'; readonly now: number }
  | { readonly type: 'reverted'; readonly hash: Hex; readonly now: number }
  | { readonly type: 'replaced'; readonly hash: Hex; readonly by: Hex; readonly now: number }
  /** The app found a transaction that pays under a new hash: the wallet sped it up, or its hash was never known. */
  | { readonly type: 'found'; readonly hash: Hex; readonly now: number }
  | { readonly type: 'pool-saw'; readonly hash: Hex; readonly now: number }
  | { readonly type: 'put-aside' }
  /** The pool reports that the deadline is past and that no payment came. */
  | { readonly type: 'lapsed'; readonly now: number }
  | { readonly type: 'pool-credited'; readonly hash: Hex; readonly toBalance: boolean; readonly now: number }

export const createPayment = (intent: Intent, left: readonly WalletRequest[]): Payment => ({
  intent,
  done: [],
  left,
  permits: true,
  fromBlock: null,
  mayBeOut: false,
  aside: false,
  sent: [],
  stage: { at: 'checking' },
})

/** Applies an event. If the event does not apply in this stage, returns the same payment object. */
export function advancePayment(payment: Payment, event: PaymentEvent): Payment {
  const after = applyEvent(payment, event)
  // Any news about a payment that was put aside shows it to the member again.
  return after.aside && after.stage.at !== 'unknown' ? { ...after, aside: false } : after
}

function applyEvent(payment: Payment, event: PaymentEvent): Payment {
  const { stage } = payment
  switch (event.type) {
    case 'resumed':
      return applyResumed(payment, event.now)
    case 'go':
      return mayAskAgain(payment) ? { ...payment, done: [], stage: { at: 'checking' } } : payment
    case 'asked': {
      if (stage.at !== 'checking') return payment
      const [request] = event.left
      return {
        ...payment,
        left: event.left,
        fromBlock: request === 'pay' ? (payment.fromBlock ?? event.block) : payment.fromBlock,
        stage: { at: 'asking', request, nonce: event.nonce, since: event.now },
      }
    }
    case 'permit-signed':
      return stage.at === 'asking' && stage.request === 'permit' ? completeRequest(payment) : payment
    case 'permit-unsupported':
      if (stage.at !== 'asking' || stage.request !== 'permit') return payment
      // An earlier transaction of this payment may carry a permit. Only a second permit with the same nonce would make
      // sure that one of the two fails, and this wallet cannot sign one. So the app only looks for the earlier
      // transaction.
      return payment.mayBeOut
        ? { ...payment, stage: unknownStage(payment, event.now) }
        : { ...payment, permits: false, stage: { at: 'paused', problem: { kind: 'permit-unsupported' } } }
    case 'approval-sent': {
      if (stage.at !== 'asking' || (stage.request !== 'reset' && stage.request !== 'approve')) return payment
      const { request, nonce } = stage
      return { ...payment, stage: { at: 'approving', request, nonce, hash: event.hash, since: event.now } }
    }
    case 'approved':
      return stage.at === 'approving' ? completeRequest(payment) : payment
    case 'pay-sent':
      return applyPaySent(payment, event)
    case 'refused':
      if (stage.at !== 'asking') return payment
      // The transaction of an earlier request can still arrive, so this refusal does not end the payment.
      return payment.mayBeOut
        ? { ...payment, stage: unknownStage(payment, event.now) }
        : { ...payment, stage: { at: 'refused', request: stage.request } }
    case 'stopped':
      if (stage.at !== 'checking' && stage.at !== 'asking' && stage.at !== 'approving') return payment
      return {
        ...payment,
        stage: payment.mayBeOut ? unknownStage(payment, event.now) : { at: 'paused', problem: event.problem },
      }
    case 'answer-lost':
      return stage.at === 'asking' && stage.request === 'pay'
        ? { ...payment, mayBeOut: true, stage: unknownStage(payment, event.now) }
        : payment
    case 'pending':
      return applyPending(payment, event)
    case 'lost-sight':
      return mayFail(stage) && !(stage.at === 'unknown' && stage.why === event.why)
        ? { ...payment, stage: { at: 'unknown', why: event.why, since: event.now } }
        : payment
    case 'mined':
      return applyMined(payment, event)
    case 'unmined':
      if (stage.at !== 'mined' && stage.at !== 'confirming') return payment
      return { ...payment, stage: { at: 'sent', hash: stage.hash, since: event.now } }
    case 'reverted':
      return mayFail(stage) && hasTransaction(payment, event.hash)
        ? failPayment(payment, event, { kind: 'reverted' })
        : payment
    case 'replaced':
      return mayFail(stage) && hasTransaction(payment, event.hash)
        ? failPayment(payment, event, { kind: 'replaced', by: event.by })
        : payment
    case 'found':
      return (isUnderWay(stage) || mayHavePaid(payment)) && !hasTransaction(payment, event.hash)
        ? { ...addTransaction(payment, event.hash), stage: { at: 'sent', hash: event.hash, since: event.now } }
        : payment
    case 'pool-saw':
      return applyPoolSaw(payment, event)
    case 'put-aside':
      return mayHide(payment) ? { ...payment, aside: true } : payment
    case 'lapsed':
      return mayFail(stage) ? { ...payment, stage: { at: 'lapsed', since: event.now } } : payment
    case 'pool-credited':
      return (isUnderWay(stage) || mayHavePaid(payment)) && hasTransaction(payment, event.hash)
        ? { ...payment, stage: { at: 'credited', hash: event.hash, toBalance: event.toBalance, since: event.now } }
        : payment
    default:
      return assertNever(event)
  }
}

function applyPoolSaw(payment: Payment, { hash, now }: Extract<PaymentEvent, { type: 'pool-saw' }>): Payment {
  const { stage } = payment
  if (!isUnderWay(stage) || stage.at === 'confirming' || !hasTransaction(payment, hash)) return payment
  const block = stage.at === 'mined' && stage.hash === hash ? stage.block : null
  return { ...payment, stage: { at: 'confirming', hash, block, since: now } }
}

type UnderWayStage = Extract<Stage, { at: 'sent' | 'unknown' | 'mined' | 'confirming' }>

/** A payment has been sent, or may have been. */
const isUnderWay = (stage: Stage): stage is UnderWayStage =>
  stage.at === 'sent' || stage.at === 'unknown' || stage.at === 'mined' || stage.at === 'confirming'

/** Only in these stages can a sent payment fail, lapse or be lost from sight; not while a block holds it. */
const mayFail = (stage: Stage): boolean => stage.at === 'sent' || stage.at === 'unknown'

/**
 * The wallet was asked to pay, and that payment may arrive: while the app waits for the wallet's answer, while it
 * prepares the next request, or after a failure that a reorganization of the chain has undone.
 */
const mayHavePaid = ({ fromBlock, stage }: Payment): boolean =>
  fromBlock !== null &&
  (stage.at === 'asking'
    ? stage.request === 'pay'
    : stage.at === 'checking' || stage.at === 'paused' || stage.at === 'approving' || stage.at === 'failed')

const hasTransaction = ({ sent }: Payment, hash: Hex): boolean => sent.some((one) => one.hash === hash)

const addTransaction = (payment: Payment, hash: Hex): Payment =>
  hasTransaction(payment, hash)
    ? payment
    : { ...payment, mayBeOut: true, sent: [...payment.sent, { hash, nonce: null }] }

function applyPending(payment: Payment, { hash, nonce, now }: Extract<PaymentEvent, { type: 'pending' }>): Payment {
  const { stage } = payment
  const transaction = payment.sent.find((one) => one.hash === hash)
  if (!(mayFail(stage) || mayHavePaid(payment)) || !transaction) return payment
  if (stage.at === 'sent' && stage.hash === hash && transaction.nonce === nonce) return payment
  return {
    ...payment,
    sent: payment.sent.map((one) => (one.hash === hash ? { hash, nonce } : one)),
    stage: stage.at === 'sent' && stage.hash === hash ? stage : { at: 'sent', hash, since: now },
  }
}

/**
 * Accepted in every stage that has not ended: a wallet can answer after the member stopped waiting, or after it was
 * asked again. A wallet that was asked again can also send the same transaction again, under the known hash.
 */
function applyPaySent(payment: Payment, { hash, now }: Extract<PaymentEvent, { type: 'pay-sent' }>): Payment {
  const { stage, fromBlock } = payment
  if (fromBlock === null || isEnded(payment)) return payment
  const updated = addTransaction(payment, hash)
  const isFollowed = stage.at === 'sent' || stage.at === 'mined' || stage.at === 'confirming'
  return isFollowed ? updated : { ...updated, stage: { at: 'sent', hash, since: now } }
}

/** The current request is done. The app reads the chain before the next one. */
const completeRequest = (payment: Payment): Payment => ({
  ...payment,
  done: [...payment.done, ...payment.left.slice(0, 1)],
  left: payment.left.slice(1),
  stage: { at: 'checking' },
})

const unknownStage = (payment: Payment, now: number): Stage => ({
  at: 'unknown',
  why: payment.sent.length > 0 ? 'not-seen' : 'answer-lost',
  since: now,
})

/** Opening a page never opens a wallet. If the wallet was open before, the app may have missed the member's answer. */
function applyResumed(payment: Payment, now: number): Payment {
  const { stage } = payment
  if (stage.at === 'asking' && stage.request === 'pay')
    return { ...payment, mayBeOut: true, stage: unknownStage(payment, now) }
  if (payment.mayBeOut && stage.at === 'paused') return { ...payment, stage: unknownStage(payment, now) }
  if (stage.at !== 'checking' && stage.at !== 'asking') return payment
  return { ...payment, stage: payment.mayBeOut ? unknownStage(payment, now) : { at: 'paused', problem: null } }
}

function applyMined(payment: Payment, { hash, block, now }: Extract<PaymentEvent, { type: 'mined' }>): Payment {
  const { stage } = payment
  if (!(isUnderWay(stage) || mayHavePaid(payment)) || !hasTransaction(payment, hash)) return payment
  const knownBlock = 'block' in stage && stage.hash === hash ? stage.block : null
  if (knownBlock?.hash === block.hash) return payment
  if (stage.at === 'confirming' && stage.hash === hash) return { ...payment, stage: { ...stage, block } }
  return { ...payment, stage: { at: 'mined', hash, block, since: now } }
}

const failPayment = (payment: Payment, { hash, now }: { hash: Hex; now: number }, why: FailureReason): Payment => ({
  ...payment,
  stage: { at: 'failed', why, hash, since: now },
})
