import {
  addDays,
  type DayNumber,
  dayOf,
  NOTHING_SHARED,
  type ShareChanges,
  type Shares,
  shareOut,
  startOfDay,
} from '@lode/kernel'

/**
 * Sharing out a day's bitcoin among all pledges, at the same cost for ten of them or ten million.
 *
 * Nobody is paid when a day closes. What one unit of weight has got since the beginning, A, only grows; a pledge notes nothing but
 * its weight and its days, and what it has got is a difference:
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
 * A is scaled by P = 10³⁶, so that a satoshi divided among weights of 10¹³ and more still leaves 23 digits to share. Whatever the
 * division of a day leaves, R, is shared out with the next day, and so is what a pledge that ends has beyond whole units, Z.
 *
 *     S = S' + started − ended                           the weights that run on this day (S', R', A', C: of the day before)
 *     F = min(G, M), X = G − F                           of the funding G, no more than M is shared out on one day
 *     no weight:   C grows by F + X, R = R' + Z, A = A'   nobody runs: the money waits
 *     else         T = min(C, F), C grows by X − T       what waited is let in no faster than new money comes
 *                  N = (F + T)·P + R' + Z
 *                  q = N div S, R = N mod S, A = A' + q
 *     entitled     E = w·(A(e − 1, or the last closed day if that is earlier) − A(s − 1)) div P
 *
 * Nobody is ever overpaid. Let U be what all pledges together have beyond what they were paid, scaled: w·ΔA − P·paid of each that
 * runs, P·(E − paid) of each that has ended and whose fraction is back. Claim: after every close
 *
 *     P·(Σ(F + X) − C) = P·Σpaid + R + U                  with R ≥ 0 and every pledge's part of U ≥ 0
 *
 * It holds before the first day, where all is 0. A day without weight adds P·(F + X) to Σ and to C alike, and moves Z from U to R. A day
 * with weight adds P·(F + X) − P·(X − T) = P·(F + T) on the left; on the right R + U first changes by nothing, as Z goes from U to R, and then
 * N = R' + Z + P·(F + T) becomes q·S + R, of which q·S is what the weights that run, S in sum, get. Paying moves P·(E − paid) from U to
 * Σpaid, and E being cut off leaves that pledge's part at 0 or above. So Σpaid ≤ Σ(F + X) − C: what was paid was funded, let in and
 * shared out before, whoever collects when and in which order. Each pledge's E only grows with the days, so none is paid a
 * negative amount, and collecting often or once brings the same. ∎
 *
 * Where somebody erred, a closed day stays as it is; the next one is funded with more or less.
 */

/** The dividends, with C: what was funded and is not shared out yet. */
export type Production = Shares & { readonly carry: bigint }

export const BEFORE_ALL_DAYS: Production = { ...NOTHING_SHARED, carry: 0n }

type Funding = {
  /** G: funding that is final, for this day or an earlier one, and in no day yet. */
  readonly funding: bigint
  /** M. */
  readonly most: bigint
}

export type ClosedDay = Production & {
  /** F: of the funding, what this day lets in. */
  readonly admitted: bigint
  /** X: what is beyond the most, and waits. */
  readonly above: bigint
  /** T: what had waited and is let in. */
  readonly fromCarry: bigint
  /** Z. */
  readonly freed: bigint
  readonly quotient: bigint
  /** What the close moves to those who run: F + T, or nothing where nobody does. */
  readonly shared: bigint
}

export function closeDay(before: Production, changes: ShareChanges, { funding, most }: Funding): ClosedDay {
  const admitted = least(funding, most)
  const above = funding - admitted
  const runs = before.weight + changes.started - changes.ended > 0n
  const fromCarry = runs ? least(before.carry, admitted) : 0n
  const shared = runs ? admitted + fromCarry : 0n
  return {
    ...shareOut(before, changes, shared),
    admitted,
    above,
    fromCarry,
    shared,
    freed: changes.freed,
    carry: before.carry + above - fromCarry + (runs ? 0n : admitted),
  }
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

// ---- the days of a pledge ----------------------------------------------------------------------------------------------

export const weightOf = (wholeCoins: bigint, basisPoints: number): bigint => wholeCoins * BigInt(basisPoints)

/** `day` of `days`: before the first it is 0, after the last it stays. */
export const dayOfTerm = (today: DayNumber, start: DayNumber, days: number): number =>
  Math.min(Math.max(today - start + 1, 0), days)

// ---- when a day closes -------------------------------------------------------------------------------------------------

const HOUR_MS = 3_600_000

/** How long a day waits for operators to approve what is funded beyond the plan's most. */
const APPROVAL_HOURS = 72

export const closesAt = (day: DayNumber, closeHour: number): Date =>
  new Date(startOfDay(addDays(day, 1)).getTime() + closeHour * HOUR_MS)

type Circumstances = {
  readonly now: Date
  /** The time of the last block that is in the books with all that is in it; null where that cannot be said. */
  readonly postedAt: Date | null
  readonly closesAt: Date
  /** G, and the plan's most. */
  readonly funding: bigint
  readonly planMost: bigint
  /** What two operators have approved for this day; null where nothing. */
  readonly approved: bigint | null
}

export type Standing =
  | { readonly state: 'scheduled' | 'waiting-chain' }
  | { readonly state: 'waiting-operators'; readonly until: Date }
  | { readonly state: 'due'; readonly most: bigint }

/** Whether a day can be closed, and with which most; else what it waits for. */
export function standingOf({ now, postedAt, closesAt: at, funding, planMost, approved }: Circumstances): Standing {
  if (now < at) return { state: 'scheduled' }
  // A block of that very second may be followed by another of the same.
  if (postedAt === null || postedAt <= at) return { state: 'waiting-chain' }
  const most = approved !== null && approved > planMost ? approved : planMost
  const until = new Date(at.getTime() + APPROVAL_HOURS * HOUR_MS)
  if (funding > planMost && most === planMost && now < until) return { state: 'waiting-operators', until }
  return { state: 'due', most }
}

/** The first day that a pledge which is paid now can run on. */
export const firstDayAfter = (paidAt: Date, lastClosed: DayNumber | null): DayNumber => {
  const next = addDays(dayOf(paidAt), 1)
  return lastClosed !== null && lastClosed >= next ? addDays(lastClosed, 1) : next
}
