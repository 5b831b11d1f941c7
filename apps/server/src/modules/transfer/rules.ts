import type { QueueReason, TransferHoldReason, TransferState } from '@lode/wire'
import { orderStatuses } from '@lode/wire'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { isRestrictive, type VerifiedDecision } from '../operators/index.ts'
import type { PayoutRow } from '../payout/index.ts'
import { HOLD_TOTAL_HOURS, type HoldFacts, listHolds } from '../protection/index.ts'

/**
 * Everything from which the state of a transfer out is computed whenever it is needed. `held` and `approved` are stored
 * nowhere. So a new hold applies to every transfer that is not signed, and a transfer continues by itself when
 * its last hold ends.
 *
 *                          ┌────────── a hold begins ──────────┐
 *                          ▼                                   │
 *     requested ──────► held ──── its last hold ends ────► approved ──► signed ──► broadcast ──► mined ──► final
 *         │                │                                │   ▲         └─────────┬─────────────┘
 *         │                │                                │   │                   │
 *         └──── cancelled, rejected (only before signed) ───┘   └──── step back ────┴─ token refused twice ─► reverted
 *
 * A transfer steps back if a final block shows that it was not paid: the vault skipped it, or its release failed. It is
 * reverted instead if its token refuses it for the second time.
 *
 * `requested` is only a step, never the current state: a transfer is held or approved as soon as it is requested.
 */
export type TransferSnapshot = {
  readonly now: Date
  readonly row: TransferFacts
  /** The member's protections as they are now. Address and browser come from the row. */
  readonly protections: Omit<HoldFacts, 'addressBoundAt' | 'deviceFirstSeenAt'>
  /** Whether the account is disabled now. */
  readonly disabled: boolean
  /** From the plan version of the request; null if this process cannot load it. */
  readonly reviewSizes: ReviewSizes | null
  /** Verified decisions about this transfer, the oldest first. */
  readonly decisions: readonly VerifiedDecision[]
  readonly release: ReleaseTimes | null
  /** The payout's chain transaction, in a block that is not final. */
  readonly seen: { readonly tx: Hex; readonly at: Date } | null
  readonly pausedUntil: Date | null
  /** Until when payouts would be paused if no resume counted. A signer without a pinned link ignores resumes. */
  readonly pausedUntilIgnoringResumes: Date | null
  /** When the signer last reported (null: never), and whether it obeys approvals and resumes. */
  readonly signer: { readonly seenAt: Date | null; readonly obeysApprovals: boolean }
  /** Whether enough other payouts come before this one in the queue to fill a whole release. */
  readonly isFullReleaseAhead: boolean
}

export type TransferFacts = Pick<
  PayoutRow,
  | 'amount'
  | 'asset'
  | 'address'
  | 'requestedAt'
  | 'addressBoundAt'
  | 'deviceSeenAt'
  | 'releaseNumber'
  | 'lookAt'
  | 'heldCheck'
  | 'waitsFor'
  | 'ended'
  | 'endedAt'
  | 'paidTx'
  | 'paidAt'
>

type ReviewSizes = { readonly reviewAbove: bigint; readonly decisionAbove: bigint }

type ReleaseTimes = {
  readonly signedAt: Date
  /** When a node first accepted the release. */
  readonly broadcastAt: Date | null
  /** The hash of its newest signed version. */
  readonly tx: Hex | null
}

/**
 * `endsAt` is null if the hold has no fixed end: two operators must decide, the worker must carry out a rejection, or
 * the signer's check must succeed.
 */
type TransferHold = { readonly reason: TransferHoldReason; readonly endsAt: Date | null }

type Step = { readonly state: TransferState; readonly at: Date }

/** What an approved transfer waits for. `late`: it has waited longer than usual. */
type QueueStatus = { readonly reason: QueueReason; readonly until: Date | null; readonly late: boolean }

export type TransferProgress = {
  readonly state: TransferState
  readonly status: (typeof orderStatuses)[keyof typeof orderStatuses]
  readonly holds: readonly TransferHold[]
  readonly queue: QueueStatus | null
  readonly cancellable: boolean
  readonly steps: readonly Step[]
  readonly tx: Hex | null
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
export const REVIEW_HOURS = 72

/** A transfer usually goes out within a few minutes of its approval. After this time its page says that it is late. */
export const LATE_AFTER_MINUTES = 10

/** The signer reports every five seconds. Proving many postings after a restore can delay a report for some minutes. */
const SIGNER_AWAY_AFTER_MINUTES = 5

/** How long each hold lasts. A hold that is not in this table has no fixed length. */
const TOTAL_HOURS_BY_HOLD: Partial<Record<TransferHoldReason, number>> = HOLD_TOTAL_HOURS

export function deriveTransferProgress(transfer: TransferSnapshot): TransferProgress {
  const { row } = transfer
  const unsigned = row.ended === null && row.releaseNumber === null
  const holds = unsigned ? listTransferHolds(transfer) : []
  const state = stateOf(transfer, holds)
  return {
    state,
    status: statusByState[state],
    holds,
    queue: state === 'approved' ? deriveQueueStatus(transfer) : null,
    cancellable: unsigned,
    steps: listSteps(transfer, state, holds),
    tx: findTx(transfer, state),
  }
}

function stateOf({ row, release, seen }: TransferSnapshot, holds: readonly TransferHold[]): TransferState {
  if (row.ended !== null) return row.ended
  if (row.releaseNumber === null) return holds.length > 0 ? 'held' : 'approved'
  if (seen) return 'mined'
  return release?.broadcastAt ? 'broadcast' : 'signed'
}

const statusByState = {
  requested: orderStatuses.paying,
  held: orderStatuses.paying,
  approved: orderStatuses.paying,
  signed: orderStatuses.confirming,
  broadcast: orderStatuses.confirming,
  mined: orderStatuses.confirming,
  final: orderStatuses.success,
  rejected: orderStatuses.failed,
  cancelled: orderStatuses.failed,
  reverted: orderStatuses.failed,
} as const satisfies Record<TransferState, number>

// ---- holds ----------------------------------------------------------------------------------------------------------

function listTransferHolds(transfer: TransferSnapshot): TransferHold[] {
  const { now, row, reviewSizes } = transfer
  const checks = row.heldCheck !== null || reviewSizes === null ? [{ reason: 'check', endsAt: null } as const] : []
  const endsAt = findReviewEnd(transfer)
  const isReviewOpen = endsAt === null || endsAt > now
  const reviews = isReviewOpen ? reviewReasons(transfer).map((reason) => ({ reason, endsAt })) : []
  return [...listHolds(now, protectionsOf(transfer)), ...reviews, ...checks]
}

const protectionsOf = ({ row, protections }: TransferSnapshot): HoldFacts => ({
  ...protections,
  addressBoundAt: row.addressBoundAt,
  deviceFirstSeenAt: row.deviceSeenAt,
})

function reviewReasons({ row, reviewSizes, disabled }: TransferSnapshot): TransferHoldReason[] {
  const large = reviewSizes !== null && row.amount > reviewSizes.reviewAbove
  return [...(large ? (['review-size'] as const) : []), ...(disabled ? (['review-account'] as const) : [])]
}

/**
 * When the review of a transfer ends, if it has one: when enough operators have approved it, or 72 hours after the
 * request. Null if it has no end: above `decisionAbove` only operators end it, and after a rejection in time the
 * transfer stays under review until the worker returns the money.
 */
function findReviewEnd(transfer: TransferSnapshot): Date | null {
  const { needed, endsByItselfAt } = reviewTerms(transfer)
  const sufficient = transfer.decisions.filter(
    (decision) => decision.signers.length >= needed && matchesTransfer(decision, transfer.row),
  )
  if (sufficient.some((decision) => decision.verb === 'reject' && isBefore(decision, endsByItselfAt))) return null
  const approval = sufficient.find((decision) => decision.verb === 'approve')
  if (approval === undefined) return endsByItselfAt
  return isBefore(approval, endsByItselfAt) ? approval.signedAt : endsByItselfAt
}

/** How many operators must sign, and when the review ends without a decision (null: never). */
function reviewTerms({ row, reviewSizes }: Pick<TransferSnapshot, 'row' | 'reviewSizes'>): {
  needed: 1 | 2
  endsByItselfAt: Date | null
} {
  const needed = operatorsNeeded(row, reviewSizes)
  return { needed, endsByItselfAt: needed === 2 ? null : new Date(row.requestedAt.getTime() + REVIEW_HOURS * HOUR_MS) }
}

const isBefore = ({ signedAt }: VerifiedDecision, end: Date | null): boolean => end === null || signedAt < end

/** How many operators must sign to approve or to reject. Two, if the plan version cannot be loaded. */
export const operatorsNeeded = ({ amount }: { amount: bigint }, reviewSizes: ReviewSizes | null): 1 | 2 =>
  reviewSizes !== null && amount <= reviewSizes.decisionAbove ? 1 : 2

/** Whether a decision approves or rejects exactly this transfer: it must repeat its symbol, amount and address. */
export function matchesTransfer(
  { body }: VerifiedDecision,
  row: { asset: string; amount: bigint; address: Address },
): boolean {
  if (body.verb !== 'approve' && body.verb !== 'reject') return false
  return body.symbol === row.asset && body.amount === String(row.amount) && isAddressEqual(body.address, row.address)
}

// ---- queue of an approved transfer ----------------------------------------------------------------------------------

/**
 * Why an approved transfer has not gone out. A known reason is shown at once. Without a known reason nothing is shown
 * until the transfer is late, counted from the time at which the signer was to judge it. Right after a pause, for
 * example, nothing holds the transfer, and the signer has not judged it again yet.
 */
function deriveQueueStatus(transfer: TransferSnapshot): QueueStatus | null {
  const { now, row, isFullReleaseAhead } = transfer
  const isLateSince = (time: number): boolean => now.getTime() - time > LATE_AFTER_MINUTES * MINUTE_MS
  const approved = findApprovalTime(transfer).getTime()
  const reason = findKnownReason(transfer)
  if (reason) return { reason, until: reason === 'paused' ? transfer.pausedUntil : null, late: isLateSince(approved) }
  if (!isLateSince(Math.max(approved, row.lookAt.getTime()))) return null
  return { reason: isFullReleaseAhead ? 'others-first' : 'unknown', until: null, late: true }
}

function findKnownReason(transfer: TransferSnapshot): QueueReason | null {
  const { now, signer, row, pausedUntil } = transfer
  if (pausedUntil) return 'paused'
  if (isSignerAway(signer.seenAt, now)) return 'signer-away'
  if (!signer.obeysApprovals && dependsOnDecision(transfer)) return 'decision-not-obeyed'
  return row.waitsFor
}

export const isSignerAway = (seenAt: Date | null, now: Date): boolean =>
  seenAt === null || now.getTime() - seenAt.getTime() > SIGNER_AWAY_AFTER_MINUTES * MINUTE_MS

/** Whether the transfer needs an approval or a resume to go out. Every signer obeys pauses and rejections. */
function dependsOnDecision(transfer: TransferSnapshot): boolean {
  const decisions = transfer.decisions.filter(({ verb }) => isRestrictive(verb))
  return transfer.pausedUntilIgnoringResumes !== null || listTransferHolds({ ...transfer, decisions }).length > 0
}

/** Whether a review holds the transfer. After a rejection it does so until the worker has returned the money. */
export const isUnderReview = (transfer: TransferSnapshot): boolean =>
  deriveTransferProgress(transfer).holds.some(({ reason }) => reason === 'review-size' || reason === 'review-account')

/** Whether the transfer is still under review after 72 hours, when smaller transfers go out by themselves. */
export const isOverdue = (transfer: TransferSnapshot): boolean =>
  transfer.now.getTime() - transfer.row.requestedAt.getTime() >= REVIEW_HOURS * HOUR_MS && isUnderReview(transfer)

// ---- steps so far ---------------------------------------------------------------------------------------------------

function listSteps(transfer: TransferSnapshot, state: TransferState, holds: readonly TransferHold[]): Step[] {
  const { row, release, seen } = transfer
  const requested: Step = { state: 'requested', at: row.requestedAt }
  const step = (reached: TransferState, at: Date | null | undefined): Step[] => (at ? [{ state: reached, at }] : [])
  const signed = () => [
    ...step('approved', findApprovalTime(transfer)),
    ...step('signed', release?.signedAt),
    ...step('broadcast', release?.broadcastAt),
  ]
  switch (state) {
    case 'requested':
      return [requested]
    case 'held':
      return [requested, ...step('held', findHeldSince(row.requestedAt, holds))]
    case 'approved':
      return [requested, ...step('approved', findApprovalTime(transfer))]
    case 'signed':
    case 'broadcast':
    case 'mined':
      return [requested, ...signed(), ...step('mined', seen?.at)]
    case 'final':
      return [requested, ...signed(), ...step('mined', row.paidAt), ...step('final', row.endedAt)]
    case 'rejected':
    case 'cancelled':
    case 'reverted':
      return [requested, ...step(state, row.endedAt)]
  }
}

/** When the first hold began. The time of the request, if that is later or if the start of a hold is unknown. */
function findHeldSince(requestedAt: Date, holds: readonly TransferHold[]): Date {
  const begins = holds.map(({ reason, endsAt }) => {
    const hours = TOTAL_HOURS_BY_HOLD[reason]
    return endsAt === null || hours === undefined ? 0 : endsAt.getTime() - hours * HOUR_MS
  })
  return new Date(Math.max(requestedAt.getTime(), Math.min(...begins)))
}

/**
 * When the last hold ended, or the time of the request if there was no hold. A hold that ends after the signature is
 * ignored: a held transfer is not signed, so the hold also began after the signature.
 */
function findApprovalTime(transfer: TransferSnapshot): Date {
  const { row, release, now } = transfer
  const until = release?.signedAt ?? now
  const timed = listHolds(row.requestedAt, protectionsOf(transfer)).map(({ endsAt }) => endsAt)
  const review = reviewReasons(transfer).length > 0 ? findReviewEnd(transfer) : null
  const ends = [...timed, ...(review ? [review] : [])].filter((end) => end <= until)
  return new Date(Math.max(row.requestedAt.getTime(), ...ends.map((end) => end.getTime())))
}

function findTx({ row, release, seen }: TransferSnapshot, state: TransferState): Hex | null {
  switch (state) {
    case 'final':
      return row.paidTx
    case 'mined':
      return seen?.tx ?? null
    case 'broadcast':
      return release?.tx ?? null
    default:
      return null
  }
}

// ---- for the signer -------------------------------------------------------------------------------------------------

/**
 * The signer judges a waiting transfer again after this time at the latest, because a hold or a pause can end early.
 * For example, a member cancels a reset. If only a pause stops the transfer, the signer looks more often, because all
 * such transfers wait for the end of the pause.
 */
const MAX_LOOK_DELAY_MS = 600_000
const MAX_LOOK_DELAY_PAUSED_MS = 60_000

/** When the signer judges a waiting transfer again: when holds and pause are over, or after the longest delay. */
export function nextLookAt(
  now: Date,
  { holds, pausedUntil }: Pick<TransferProgress, 'holds'> & { readonly pausedUntil: Date | null },
): Date {
  const ends = [...holds.map(({ endsAt }) => endsAt), pausedUntil].filter((end) => end !== null)
  const endless = holds.some(({ endsAt }) => endsAt === null)
  const last = endless || ends.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...ends.map((end) => end.getTime()))
  const longest = pausedUntil !== null && holds.length === 0 ? MAX_LOOK_DELAY_PAUSED_MS : MAX_LOOK_DELAY_MS
  return new Date(Math.min(last, now.getTime() + longest))
}
