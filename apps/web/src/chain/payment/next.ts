import { assertNever } from '@lode/kernel'
import type { Hex } from 'viem'
import {
  type Block,
  type Failed,
  type Intent,
  isEnded,
  mayAskAgain,
  mayPutAside,
  type Payment,
  type Problem,
  type Request,
  type Stage,
  type Unknown,
} from './payment.ts'

/** Everything that can happen to a payment. Events carry `now`, because the machine has no clock. */
export type Event =
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
      readonly left: readonly [Request, ...Request[]]
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
  | { readonly type: 'stopped'; readonly problem: Problem | null; readonly now: number }
  | { readonly type: 'answer-lost'; readonly now: number }
  /** The network knows the transaction and has not put it into a block. */
  | { readonly type: 'pending'; readonly hash: Hex; readonly nonce: number; readonly now: number }
  | { readonly type: 'lost-sight'; readonly why: Exclude<Unknown, 'answer-lost'>; readonly now: number }
  | { readonly type: 'mined'; readonly hash: Hex; readonly block: Block; readonly now: number }
  /** A reorganization took the transaction out of its block. */
  | { readonly type: 'unmined'; readonly now: number }
  | { readonly type: 'reverted'; readonly hash: Hex; readonly now: number }
  | { readonly type: 'replaced'; readonly hash: Hex; readonly by: Hex; readonly now: number }
  /** The same call under another hash: it was sped up in the wallet, or found on the chain without a known hash. */
  | { readonly type: 'found'; readonly hash: Hex; readonly now: number }
  | { readonly type: 'pool-saw'; readonly hash: Hex; readonly now: number }
  | { readonly type: 'put-aside' }
  /** The pool reports that the deadline is past and that no payment came. */
  | { readonly type: 'lapsed'; readonly now: number }
  | { readonly type: 'pool-credited'; readonly hash: Hex; readonly now: number }

export const begun = (intent: Intent, left: readonly Request[]): Payment => ({
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

/** An event that does not apply changes nothing: the same payment object is returned. */
export function next(payment: Payment, event: Event): Payment {
  const after = changed(payment, event)
  // Any news about a payment that was put aside shows it to the member again.
  return after.aside && after.stage.at !== 'unknown' ? { ...after, aside: false } : after
}

function changed(payment: Payment, event: Event): Payment {
  const { stage } = payment
  switch (event.type) {
    case 'resumed':
      return resumed(payment, event.now)
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
      return stage.at === 'asking' && stage.request === 'permit' ? answered(payment) : payment
    case 'permit-unsupported':
      if (stage.at !== 'asking' || stage.request !== 'permit') return payment
      // A payment that may be out may carry a permit. Only a second permit with the same nonce excludes being paid
      // twice.
      return payment.mayBeOut
        ? { ...payment, stage: unknown(payment, event.now) }
        : { ...payment, permits: false, stage: { at: 'paused', problem: { kind: 'permit-unsupported' } } }
    case 'approval-sent': {
      if (stage.at !== 'asking' || (stage.request !== 'reset' && stage.request !== 'approve')) return payment
      const { request, nonce } = stage
      return { ...payment, stage: { at: 'approving', request, nonce, hash: event.hash, since: event.now } }
    }
    case 'approved':
      return stage.at === 'approving' ? answered(payment) : payment
    case 'pay-sent':
      return paySent(payment, event)
    case 'refused':
      if (stage.at !== 'asking') return payment
      // A payment of an earlier try can still arrive, so this refusal does not end the payment.
      return payment.mayBeOut
        ? { ...payment, stage: unknown(payment, event.now) }
        : { ...payment, stage: { at: 'refused', request: stage.request } }
    case 'stopped':
      if (stage.at !== 'checking' && stage.at !== 'asking' && stage.at !== 'approving') return payment
      return {
        ...payment,
        stage: payment.mayBeOut ? unknown(payment, event.now) : { at: 'paused', problem: event.problem },
      }
    case 'answer-lost':
      return stage.at === 'asking' && stage.request === 'pay'
        ? { ...payment, mayBeOut: true, stage: unknown(payment, event.now) }
        : payment
    case 'pending':
      return pending(payment, event)
    case 'lost-sight':
      return mayFail(stage) && !(stage.at === 'unknown' && stage.why === event.why)
        ? { ...payment, stage: { at: 'unknown', why: event.why, since: event.now } }
        : payment
    case 'mined':
      return mined(payment, event)
    case 'unmined': {
      if (stage.at !== 'mined' && stage.at !== 'confirming') return payment
      return { ...payment, stage: { at: 'sent', hash: stage.hash, since: event.now } }
    }
    case 'reverted':
      return mayFail(stage) && isKnown(payment, event.hash) ? failed(payment, event, { kind: 'reverted' }) : payment
    case 'replaced':
      return mayFail(stage) && isKnown(payment, event.hash)
        ? failed(payment, event, { kind: 'replaced', by: event.by })
        : payment
    case 'found':
      return (isUnderWay(stage) || mayHavePaid(payment)) && !isKnown(payment, event.hash)
        ? { ...knowing(payment, event.hash), stage: { at: 'sent', hash: event.hash, since: event.now } }
        : payment
    case 'pool-saw': {
      if (!isUnderWay(stage) || stage.at === 'confirming' || !isKnown(payment, event.hash)) return payment
      const block = stage.at === 'mined' && stage.hash === event.hash ? stage.block : null
      return { ...payment, stage: { at: 'confirming', hash: event.hash, block, since: event.now } }
    }
    case 'put-aside':
      return mayPutAside(payment) ? { ...payment, aside: true } : payment
    case 'lapsed':
      return mayFail(stage) ? { ...payment, stage: { at: 'lapsed', since: event.now } } : payment
    case 'pool-credited':
      return (isUnderWay(stage) || mayHavePaid(payment)) && isKnown(payment, event.hash)
        ? { ...payment, stage: { at: 'credited', hash: event.hash, since: event.now } }
        : payment
    default:
      return assertNever(event)
  }
}

type UnderWay = Extract<Stage, { at: 'sent' | 'unknown' | 'mined' | 'confirming' }>

/** A payment has been sent, or may have been. */
const isUnderWay = (stage: Stage): stage is UnderWay =>
  stage.at === 'sent' || stage.at === 'unknown' || stage.at === 'mined' || stage.at === 'confirming'

/** Only these stages can fail or become unknown. A payment that was in a block successfully does neither. */
const mayFail = (stage: Stage): boolean => stage.at === 'sent' || stage.at === 'unknown'

/** The wallet is about to be asked again, and the payment of the first request may still arrive. */
const mayHavePaid = ({ fromBlock, stage }: Payment): boolean =>
  fromBlock !== null && (stage.at === 'checking' || stage.at === 'paused' || stage.at === 'approving')

const isKnown = ({ sent }: Payment, hash: Hex): boolean => sent.some((one) => one.hash === hash)

const knowing = (payment: Payment, hash: Hex): Payment =>
  isKnown(payment, hash) ? payment : { ...payment, mayBeOut: true, sent: [...payment.sent, { hash, nonce: null }] }

function pending(payment: Payment, { hash, nonce, now }: Extract<Event, { type: 'pending' }>): Payment {
  const { stage } = payment
  const known = payment.sent.find((one) => one.hash === hash)
  if (!(mayFail(stage) || mayHavePaid(payment)) || !known) return payment
  if (stage.at === 'sent' && stage.hash === hash && known.nonce === nonce) return payment
  return {
    ...payment,
    sent: payment.sent.map((one) => (one.hash === hash ? { hash, nonce } : one)),
    stage: stage.at === 'sent' && stage.hash === hash ? stage : { at: 'sent', hash, since: now },
  }
}

/**
 * Accepted at any time: a wallet can answer after the member stopped waiting, or after it was asked again. A wallet
 * that was asked again can also send the same transaction again, under the known hash.
 */
function paySent(payment: Payment, { hash, now }: Extract<Event, { type: 'pay-sent' }>): Payment {
  const { stage, fromBlock } = payment
  if (fromBlock === null || isEnded(payment)) return payment
  const known = knowing(payment, hash)
  const isFollowed = stage.at === 'sent' || stage.at === 'mined' || stage.at === 'confirming'
  return isFollowed ? known : { ...known, stage: { at: 'sent', hash, since: now } }
}

/** The current request has been answered. The chain is read before the next request. */
const answered = (payment: Payment): Payment => ({
  ...payment,
  done: [...payment.done, ...payment.left.slice(0, 1)],
  left: payment.left.slice(1),
  stage: { at: 'checking' },
})

const unknown = (payment: Payment, now: number): Stage => ({
  at: 'unknown',
  why: payment.sent.length > 0 ? 'not-seen' : 'answer-lost',
  since: now,
})

/** A wallet never opens because a page was opened. If it was open before, the member may have answered it unnoticed. */
function resumed(payment: Payment, now: number): Payment {
  const { stage } = payment
  if (stage.at === 'asking' && stage.request === 'pay')
    return { ...payment, mayBeOut: true, stage: unknown(payment, now) }
  if (payment.mayBeOut && stage.at === 'paused') return { ...payment, stage: unknown(payment, now) }
  if (stage.at !== 'checking' && stage.at !== 'asking') return payment
  return { ...payment, stage: payment.mayBeOut ? unknown(payment, now) : { at: 'paused', problem: null } }
}

function mined(payment: Payment, { hash, block, now }: Extract<Event, { type: 'mined' }>): Payment {
  const { stage } = payment
  if (!(isUnderWay(stage) || mayHavePaid(payment)) || !isKnown(payment, hash)) return payment
  const here = 'block' in stage && stage.hash === hash ? stage.block : null
  if (here?.hash === block.hash) return payment
  if (stage.at === 'confirming' && stage.hash === hash) return { ...payment, stage: { ...stage, block } }
  return { ...payment, stage: { at: 'mined', hash, block, since: now } }
}

const failed = (payment: Payment, { hash, now }: { hash: Hex; now: number }, why: Failed): Payment => ({
  ...payment,
  stage: { at: 'failed', why, hash, since: now },
})
