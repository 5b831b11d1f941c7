import {
  addDays,
  type DayNumber,
  dayOf,
  least,
  NO_SHARES,
  type ShareChanges,
  type ShareState,
  shareOut,
  startOfDay,
} from '@lode/kernel'

/**
 * Shares out a day's BTC among all pledges, at the same cost for ten pledges or ten million.
 *
 * Nobody is paid when a day closes. A is what one unit of weight has earned since the first day; it only grows. A
 * pledge stores only its weight and its days, and what it has earned is a difference of A:
 *
 *     A  │                              ┌─────  A of the last day, e − 1  ┐
 *        │                       ┌──────┘                                 │
 *        │              ┌────────┘        a day without funding           │ weight × this, in whole units:
 *        │       ┌──────┘                 is a flat step                  │ what the pledge is entitled to
 *        │   ┌───┘                                                        │
 *        ├───┘ A of the day before it, s − 1                              ┘
 *        └───┬───┬──────┬────────┬──────┬──────► days
 *            s                          e
 *
 * A is scaled by P = 10³⁶, so that a satoshi divided among weights of 10¹³ and more still leaves 23 digits to share.
 * The remainder R of a day's division is shared out with the next day. So is Z, the fraction of a unit that an ended
 * pledge leaves.
 *
 *     S = S' + started − ended                           the weights that run on this day (S', R', A', C: day before)
 *     F = min(G, M), X = G − F                           of the funding G, at most M is shared out on one day
 *     no weight:   C grows by F + X, R = R' + Z, A = A'   no pledge runs: the money waits
 *     else         T = min(C, F), C grows by X − T       waiting money is admitted no faster than new money comes
 *                  N = (F + T)·P + R' + Z
 *                  q = N div S, R = N mod S, A = A' + q
 *     entitled     E = w·(A(e − 1, or the last closed day if that is earlier) − A(s − 1)) div P
 *
 * Nobody is ever overpaid. Let U be what all pledges together have earned and were not paid, scaled: w·ΔA − P·paid of
 * each pledge that runs, P·(E − paid) of each that has ended and returned its fraction. Claim: after every close
 *
 *     P·(Σ(F + X) − C) = P·Σpaid + R + U                  with R ≥ 0 and every pledge's part of U ≥ 0
 *
 * It holds before the first day, where all is 0. A day without weight adds P·(F + X) to P·Σ and to P·C alike, and moves
 * Z from U to R. A day with weight adds P·(F + X) − P·(X − T) = P·(F + T) on the left. On the right, Z goes from U to
 * R, so R + U stays the same; then N = R' + Z + P·(F + T) becomes q·S + R, and q·S goes to the running weights, whose
 * sum is S. A payment moves P·(E − paid) from U to P·Σpaid, and because E is rounded down, that pledge's part stays at
 * 0 or above. So Σpaid ≤ Σ(F + X) − C: what is paid was funded, admitted and shared out before, whatever the times and
 * the order of collecting. Each pledge's E only grows with the days, so no payment is negative, and collecting often or
 * once gives the same total. ∎
 *
 * A closed day never changes. A mistake is corrected by funding the next day with more or less.
 */

/** The state after a close, with C: BTC that was funded and is not shared out yet. */
export type Production = ShareState & { readonly carry: bigint }

export const BEFORE_ALL_DAYS: Production = { ...NO_SHARES, carry: 0n }

type Funding = {
  /** G: final funding, for this day or an earlier one, that no closed day has used. */
  readonly funding: bigint
  /** M: the limit for this day, from the plan or from an approval by two operators. */
  readonly most: bigint
}

export type ClosedDay = Production & {
  /** F: the part of the funding that this day admits. */
  readonly admitted: bigint
  /** X: the funding above the limit, which waits. */
  readonly above: bigint
  /** T: waiting money that this day admits. */
  readonly fromCarry: bigint
  /** Z: fractions of ended pledges. */
  readonly freed: bigint
  readonly quotient: bigint
  /** What the close shares out: F + T, or nothing if no pledge runs. */
  readonly shared: bigint
}

export function closeDay(before: Production, changes: ShareChanges, { funding, most }: Funding): ClosedDay {
  const admitted = least(funding, most)
  const above = funding - admitted
  const hasWeight = before.weight + changes.started - changes.ended > 0n
  const fromCarry = hasWeight ? least(before.carry, admitted) : 0n
  const shared = hasWeight ? admitted + fromCarry : 0n
  return {
    ...shareOut(before, changes, shared),
    admitted,
    above,
    fromCarry,
    shared,
    freed: changes.freed,
    carry: before.carry + above - fromCarry + (hasWeight ? 0n : admitted),
  }
}

// ---- the days of a pledge -------------------------------------------------------------------------------------------

export const computeWeight = (wholeCoins: bigint, basisPoints: number): bigint => wholeCoins * BigInt(basisPoints)

/** Which day of its term a pledge has reached: 0 before the first day, and `days` from the last day on. */
export const dayOfTerm = (today: DayNumber, start: DayNumber, days: number): number =>
  Math.min(Math.max(today - start + 1, 0), days)

// ---- when a day closes ----------------------------------------------------------------------------------------------

const HOUR_MS = 3_600_000

/**
 * How long a day waits at most: for operators to approve funding above the plan's daily limit, and for a Bitcoin output
 * that a funding names to be found.
 */
const MAX_WAIT_HOURS = 72

export const closesAt = (day: DayNumber, closeHour: number): Date =>
  new Date(startOfDay(addDays(day, 1)).getTime() + closeHour * HOUR_MS)

type CloseConditions = {
  readonly now: Date
  /** The time of the last posted block; null if blocks must be read again or the watcher is stopped. */
  readonly postedAt: Date | null
  readonly closesAt: Date
  /** G, and the plan's daily limit. */
  readonly funding: bigint
  readonly planMost: bigint
  /** What two operators approved for this day; null if nothing. */
  readonly approved: bigint | null
  /** A funding of this day names a Bitcoin output that was looked for and not found, or not looked for yet. */
  readonly lacksEvidence: boolean
}

export type CloseState =
  | { readonly state: 'scheduled' | 'waiting-chain' }
  | { readonly state: 'waiting-evidence' | 'waiting-operators'; readonly until: Date }
  | { readonly state: 'due'; readonly most: bigint }

/** Whether a day can be closed, and with which limit; otherwise what it waits for. */
export function determineCloseState({
  now,
  postedAt,
  closesAt: at,
  funding,
  planMost,
  approved,
  lacksEvidence,
}: CloseConditions): CloseState {
  if (now < at) return { state: 'scheduled' }
  // A block with exactly this time may be followed by another block of the same second.
  if (postedAt === null || postedAt <= at) return { state: 'waiting-chain' }
  const most = approved !== null && approved > planMost ? approved : planMost
  const until = new Date(at.getTime() + MAX_WAIT_HOURS * HOUR_MS)
  if (lacksEvidence && now < until) return { state: 'waiting-evidence', until }
  if (funding > planMost && most === planMost && now < until) return { state: 'waiting-operators', until }
  return { state: 'due', most }
}

/** The first day of a pledge: the day after `paidAt`, or the day after the last closed one if that is later. */
export const firstDayAfter = (paidAt: Date, lastClosed: DayNumber | null): DayNumber => {
  const next = addDays(dayOf(paidAt), 1)
  return lastClosed !== null && lastClosed >= next ? addDays(lastClosed, 1) : next
}
