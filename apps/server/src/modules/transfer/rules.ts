import type { QueueReason, TransferHoldReason, TransferState } from '@lode/wire'
import { orderStatuses } from '@lode/wire'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { isHoldingBack, type VerifiedDecision } from '../operators/index.ts'
import type { PayoutRow } from '../payout/index.ts'
import { HOLD_LASTS_HOURS, holdsAt, type KnownForHolds } from '../protection/index.ts'

/**
 * The state of a transfer out, computed from the known facts whenever it is needed. `held` and `approved` are stored
 * nowhere. So a new hold applies to every transfer that is not signed, and a transfer goes on by itself when its last
 * hold ends.
 *
 *                          ┌────────── a hold begins ──────────┐
 *                          ▼                                   │
 *     requested ──────► held ──── its last hold ends ────► approved ──► signed ──► broadcast ──► mined ──► final
 *         │                │                                │   ▲         └─────────┬─────────────┘
 *         │                │                                │   │                   │
 *         └──── cancelled, rejected (only before signed) ───┘   └── failed in a final block ──► reverted
 *
 * `requested` is a step and never the present state: from its request on, a transfer is held or approved.
 */
export type Known = {
  readonly now: Date
  readonly row: TransferFacts
  /** The member's protections as they are now. Address and browser come from the row. */
  readonly protections: Omit<KnownForHolds, 'addressBoundAt' | 'deviceFirstSeenAt'>
  /** Whether the account is disabled now. */
  readonly disabled: boolean
  /** From the plan version of the request; null if that version is not known. */
  readonly sizes: Sizes | null
  /** Verified decisions about this transfer, the oldest first. */
  readonly decisions: readonly VerifiedDecision[]
  readonly release: Release | null
  /** The payout's chain transaction, in a block that is not final. */
  readonly seen: { readonly tx: Hex; readonly at: Date } | null
  readonly pausedUntil: Date | null
  /** The same without any resume, for a signer that does not obey resumes. */
  readonly pausedUntilUnresumed: Date | null
  /** When the signer last reported, null if it never did; and whether it obeys approvals and resumes. */
  readonly signer: { readonly seenAt: Date | null; readonly obeys: boolean }
  /** Whether a full release of other payouts is due before this one. */
  readonly othersFirst: boolean
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

type Sizes = { readonly reviewAbove: bigint; readonly decisionAbove: bigint }

type Release = {
  readonly signedAt: Date
  /** When a node first accepted it, and the hash of the newest signed version. */
  readonly broadcastAt: Date | null
  readonly tx: Hex | null
}

/** `endsAt` is null if no time ends the hold: two operators must decide, or the signer's check must succeed. */
type TransferHold = { readonly reason: TransferHoldReason; readonly endsAt: Date | null }

type Step = { readonly state: TransferState; readonly at: Date }

/** What an approved transfer waits for. `late`: it has waited longer than usual. */
type Queue = { readonly reason: QueueReason; readonly until: Date | null; readonly late: boolean }

export type Standing = {
  readonly state: TransferState
  readonly status: (typeof orderStatuses)[keyof typeof orderStatuses]
  readonly holds: readonly TransferHold[]
  readonly queue: Queue | null
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

/** The other holds do not last for a fixed time. */
const LASTS_HOURS: Partial<Record<TransferHoldReason, number>> = HOLD_LASTS_HOURS

export function standingOf(known: Known): Standing {
  const { row } = known
  const unsigned = row.ended === null && row.releaseNumber === null
  const holds = unsigned ? holdsOf(known) : []
  const state = stateOf(known, holds)
  return {
    state,
    status: statusOf[state],
    holds,
    queue: state === 'approved' ? queueOf(known) : null,
    cancellable: unsigned,
    steps: stepsOf(known, state, holds),
    tx: txOf(known, state),
  }
}

function stateOf({ row, release, seen }: Known, holds: readonly TransferHold[]): TransferState {
  if (row.ended !== null) return row.ended
  if (row.releaseNumber === null) return holds.length > 0 ? 'held' : 'approved'
  if (seen) return 'mined'
  return release?.broadcastAt ? 'broadcast' : 'signed'
}

const statusOf = {
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

function holdsOf(known: Known): TransferHold[] {
  const { now, row, sizes } = known
  const checks = row.heldCheck !== null || sizes === null ? [{ reason: 'check', endsAt: null } as const] : []
  const endsAt = reviewEndOf(known)
  const reviewed = endsAt === null || endsAt > now
  const reviews = reviewed ? reviewReasons(known).map((reason) => ({ reason, endsAt })) : []
  return [...holdsAt(now, protectionsOf(known)), ...reviews, ...checks]
}

const protectionsOf = ({ row, protections }: Known): KnownForHolds => ({
  ...protections,
  addressBoundAt: row.addressBoundAt,
  deviceFirstSeenAt: row.deviceSeenAt,
})

function reviewReasons({ row, sizes, disabled }: Known): TransferHoldReason[] {
  const large = sizes !== null && row.amount > sizes.reviewAbove
  return [...(large ? (['review-size'] as const) : []), ...(disabled ? (['review-account'] as const) : [])]
}

/**
 * When the review of a transfer ends, if it has one: when enough operators approved it, or 72 hours after the request.
 * Above the second size no time ends it. Nor does a review end that operators rejected in time: the worker is about to
 * give the money back.
 */
function reviewEndOf(known: Known): Date | null {
  const { needed, byItself } = reviewTerms(known)
  const said = known.decisions.filter((decision) => decision.operators.length >= needed && isAbout(decision, known.row))
  if (said.some((decision) => decision.verb === 'reject' && isBefore(decision, byItself))) return null
  const approval = said.find((decision) => decision.verb === 'approve')
  if (approval === undefined) return byItself
  return isBefore(approval, byItself) ? approval.signedAt : byItself
}

/** How many operators are needed, and when the review ends without a decision. */
function reviewTerms({ row, sizes }: Pick<Known, 'row' | 'sizes'>): { needed: 1 | 2; byItself: Date | null } {
  const needed = operatorsNeeded(row, sizes)
  return { needed, byItself: needed === 2 ? null : new Date(row.requestedAt.getTime() + REVIEW_HOURS * HOUR_MS) }
}

const isBefore = ({ signedAt }: VerifiedDecision, end: Date | null): boolean => end === null || signedAt < end

/** How many operators must sign to approve or to reject. If the plan is not known, two are needed. */
export const operatorsNeeded = ({ amount }: { amount: bigint }, sizes: Sizes | null): 1 | 2 =>
  sizes !== null && amount <= sizes.decisionAbove ? 1 : 2

/** A decision repeats the transfer's terms, so that it counts for this transfer and no other. */
export function isAbout({ body }: VerifiedDecision, row: { asset: string; amount: bigint; address: Address }): boolean {
  if (body.verb !== 'approve' && body.verb !== 'reject') return false
  return body.symbol === row.asset && body.amount === String(row.amount) && isAddressEqual(body.address, row.address)
}

// ---- queue of an approved transfer ----------------------------------------------------------------------------------

/**
 * A known reason is shown at once. An unknown reason is shown only when the transfer is late, counted from the time at
 * which the signer was to look at it. Right after a pause, for example, nothing holds the transfer, and the signer has
 * not looked again yet.
 */
function queueOf(known: Known): Queue | null {
  const { now, row, othersFirst } = known
  const isLateSince = (time: number): boolean => now.getTime() - time > LATE_AFTER_MINUTES * MINUTE_MS
  const approved = approvedAt(known).getTime()
  const reason = knownReason(known)
  if (reason) return { reason, until: reason === 'paused' ? known.pausedUntil : null, late: isLateSince(approved) }
  if (!isLateSince(Math.max(approved, row.lookAt.getTime()))) return null
  return { reason: othersFirst ? 'others-first' : 'unknown', until: null, late: true }
}

function knownReason(known: Known): QueueReason | null {
  const { now, signer, row, pausedUntil } = known
  if (pausedUntil) return 'paused'
  if (isSignerAway(signer.seenAt, now)) return 'signer-away'
  if (!signer.obeys && waitsForDecision(known)) return 'decision-not-obeyed'
  return row.waitsFor
}

export const isSignerAway = (seenAt: Date | null, now: Date): boolean =>
  seenAt === null || now.getTime() - seenAt.getTime() > SIGNER_AWAY_AFTER_MINUTES * MINUTE_MS

/** Whether only an approval or a resume lets it go out. Every signer obeys pauses and rejections. */
function waitsForDecision(known: Known): boolean {
  const decisions = known.decisions.filter(({ verb }) => isHoldingBack(verb))
  return known.pausedUntilUnresumed !== null || holdsOf({ ...known, decisions }).length > 0
}

/** Whether it waits for a decision by operators. */
export const isUnderReview = (known: Known): boolean =>
  standingOf(known).holds.some(({ reason }) => reason === 'review-size' || reason === 'review-account')

/** Whether it still waits after the time at which other reviews end by themselves. */
export const isOverdue = (known: Known): boolean =>
  known.now.getTime() - known.row.requestedAt.getTime() >= REVIEW_HOURS * HOUR_MS && isUnderReview(known)

// ---- steps so far ---------------------------------------------------------------------------------------------------

function stepsOf(known: Known, state: TransferState, holds: readonly TransferHold[]): Step[] {
  const { row, release, seen } = known
  const requested: Step = { state: 'requested', at: row.requestedAt }
  const step = (of: TransferState, at: Date | null | undefined): Step[] => (at ? [{ state: of, at }] : [])
  const signed = () => [
    ...step('approved', approvedAt(known)),
    ...step('signed', release?.signedAt),
    ...step('broadcast', release?.broadcastAt),
  ]
  switch (state) {
    case 'requested':
      return [requested]
    case 'held':
      return [requested, ...step('held', heldSince(row.requestedAt, holds))]
    case 'approved':
      return [requested, ...step('approved', approvedAt(known))]
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

/** When the first of its holds began, or the request if that is later or the start is not known. */
function heldSince(requestedAt: Date, holds: readonly TransferHold[]): Date {
  const begins = holds.map(({ reason, endsAt }) => {
    const hours = LASTS_HOURS[reason]
    return endsAt === null || hours === undefined ? 0 : endsAt.getTime() - hours * HOUR_MS
  })
  return new Date(Math.max(requestedAt.getTime(), Math.min(...begins)))
}

/**
 * When its last hold ended, or the request if it had none. A hold that ends after the signature is ignored: it began
 * after the signature too, because a held transfer is not signed.
 */
function approvedAt(known: Known): Date {
  const { row, release, now } = known
  const until = release?.signedAt ?? now
  const timed = holdsAt(row.requestedAt, protectionsOf(known)).map(({ endsAt }) => endsAt)
  const review = reviewReasons(known).length > 0 ? reviewEndOf(known) : null
  const ends = [...timed, ...(review ? [review] : [])].filter((end) => end <= until)
  return new Date(Math.max(row.requestedAt.getTime(), ...ends.map((end) => end.getTime())))
}

function txOf({ row, release, seen }: Known, state: TransferState): Hex | null {
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
 * A hold can end early, for example when a reset is canceled. So can a pause, for which all transfers wait. The signer
 * looks again after this time at the latest.
 */
const LOOK_AGAIN_MS = 600_000
const LOOK_AGAIN_PAUSED_MS = 60_000

/** When the signer looks again at a transfer that it cannot sign now: as soon as all holds and the pause are over. */
export function lookAgainAt(
  now: Date,
  { holds, queue }: Pick<Standing, 'holds'> & { readonly queue: Pick<Queue, 'until'> | null },
): Date {
  const ends = [...holds.map(({ endsAt }) => endsAt), queue ? queue.until : null].filter((end) => end !== null)
  const endless = holds.some(({ endsAt }) => endsAt === null)
  const last = endless || ends.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...ends.map((end) => end.getTime()))
  const longest = queue !== null && holds.length === 0 ? LOOK_AGAIN_PAUSED_MS : LOOK_AGAIN_MS
  return new Date(Math.min(last, now.getTime() + longest))
}
