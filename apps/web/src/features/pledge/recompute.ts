import { parseAmount } from '@lode/kernel'
import type { DataOf } from '@lode/wire'

/**
 * Recomputes the member's dividends from the public table of days and the member's own pledges. This code is written
 * independently of the server's: it takes figures from the server, and no code.
 */

/** P in the documentation: the scale of the earnings of one unit of weight. */
const SCALE = 10n ** 36n

type ReportedDay = DataOf<'pool/days'>['items'][number]
type ReportedLine = DataOf<'pledge/days'>['items'][number]
type ReportedRecord = DataOf<'pledge/records'>['items'][number]

const figures = ['F', 'X', 'T', 'C', 'Z', 'S', 'q', 'A', 'R'] as const
type Figure = (typeof figures)[number]

/** A closed day. BTC in smallest units, everything else in whole numbers. */
export type DayFigures = { readonly day: number; readonly funded: bigint } & { readonly [F in Figure]: bigint }

export type Pledge = {
  readonly weight: bigint
  /** The pledge runs from `startDay` up to the day before `endDay`. */
  readonly startDay: number
  readonly endDay: number
}

/** A figure that does not follow from the others. */
export type TableFault =
  /** The previous row of the table is not the previous day. */
  | { readonly at: 'days' }
  /** The fundings of the day do not add up, or one of them is for a later day. */
  | { readonly at: 'fundings' }
  | { readonly at: Figure; readonly reported: bigint; readonly recomputed: bigint }

export type LineFault =
  | TableFault
  /** The weight of the member's pledges on that day, the total weight, and the dividend in units of BTC. */
  | { readonly at: 'weight' | 'totalWeight' | 'amount'; readonly reported: bigint; readonly recomputed: bigint }

export type DividendLine = { readonly weight: bigint; readonly totalWeight: bigint; readonly amount: bigint }

export type DayCheck =
  | { readonly kind: 'checked' }
  | { readonly kind: 'differs'; readonly faults: readonly LineFault[] }
  /** A day of the table that is needed is missing: it was not read, or the pool left it out. */
  | { readonly kind: 'unknown' }

// ---- reading the pool's figures -------------------------------------------------------------------------------------

/** Stands for a text that is not an amount. It is negative, so that no comparison with a sum succeeds. */
const NO_AMOUNT = -1n

function parseUnits(asset: 'BTC' | 'BTN', decimals: number, amount: string): bigint {
  const parsed = parseAmount(asset, decimals, amount)
  return parsed.ok ? parsed.value : NO_AMOUNT
}

export function parseDay(reported: ReportedDay, decimals: number): DayFigures {
  const { day, fundings, F, X, T, C, Z, S, q, A, R } = reported
  const btc = (amount: string) => parseUnits('BTC', decimals, amount)
  // A funding that names a later day must not be counted on this day.
  const isTooEarly = fundings.some((one) => one.day > day)
  return {
    day,
    funded: isTooEarly ? NO_AMOUNT : fundings.reduce((sum, { amount }) => sum + btc(amount), 0n),
    F: btc(F),
    X: btc(X),
    T: btc(T),
    C: btc(C),
    Z: BigInt(Z),
    S: BigInt(S),
    q: BigInt(q),
    A: BigInt(A),
    R: BigInt(R),
  }
}

export const parseLine = ({ weight, totalWeight, amount }: ReportedLine, decimals: number): DividendLine => ({
  weight: BigInt(weight),
  totalWeight: BigInt(totalWeight),
  amount: parseUnits('BTC', decimals, amount),
})

/**
 * Returns null until the pledge is paid, because only then it has a first and a last day. The weight is computed from
 * the BTN and the weight of the term; the product that the pool reports (`effective`) is not used.
 */
export function parsePledge({ amount, termWeight, startDay, endDay }: ReportedRecord): Pledge | null {
  if (startDay === null || endDay === null) return null
  return { weight: parseUnits('BTN', 0, amount) * BigInt(termWeight), startDay, endDay }
}

// ---- checking the table ---------------------------------------------------------------------------------------------

const BEFORE_ALL_DAYS = { C: 0n, A: 0n, R: 0n } as const

const min = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** The figures of a day that do not follow from the day before. `before` is null for the pool's first day. */
export function findTableFaults(reported: DayFigures, before: DayFigures | null): TableFault[] {
  const { C, A, R } = before ?? BEFORE_ALL_DAYS
  const { F, X, S, Z } = reported
  const pot = R + Z
  const T = S === 0n ? 0n : min(C, F)
  const N = (F + T) * SCALE + pot
  const q = S === 0n ? 0n : N / S
  const recomputed: Pick<DayFigures, 'T' | 'C' | 'q' | 'A' | 'R'> = {
    T,
    C: S === 0n ? C + F + X : C + X - T,
    q,
    A: A + q,
    R: S === 0n ? pot : N - q * S,
  }
  const faults: TableFault[] = []
  if (before && before.day + 1 !== reported.day) faults.push({ at: 'days' })
  if (reported.funded !== F + X) faults.push({ at: 'fundings' })
  for (const at of ['T', 'C', 'q', 'A', 'R'] as const)
    if (reported[at] !== recomputed[at]) faults.push({ at, reported: reported[at], recomputed: recomputed[at] })
  return faults
}

// ---- checking a member's line ---------------------------------------------------------------------------------------

const isRunning = (day: number, { startDay, endDay }: Pledge): boolean => startDay <= day && day < endDay

/** The part of the table that has been read. */
export type Table = {
  readonly days: ReadonlyMap<number, DayFigures>
  /** The pool's first day, if it is known. Before it nobody had earned anything. */
  readonly first: number | null
}

/** A at the end of a day: what one unit of weight had earned by then. Undefined if that day has not been read. */
function earnedPerWeight(day: number, { days, first }: Table): bigint | undefined {
  return first !== null && day < first ? 0n : days.get(day)?.A
}

/**
 * The dividend of a member's pledges on a day. Null if none ran; undefined if the table has not been read far enough.
 */
export function recomputeLine(day: number, pledges: readonly Pledge[], table: Table): DividendLine | null | undefined {
  const running = pledges.filter((pledge) => isRunning(day, pledge))
  if (running.length === 0) return null
  const [closed, end, start] = [table.days.get(day), earnedPerWeight(day, table), earnedPerWeight(day - 1, table)]
  if (closed === undefined || end === undefined || start === undefined) return undefined
  let [weight, amount] = [0n, 0n]
  for (const pledge of running) {
    const base = earnedPerWeight(pledge.startDay - 1, table)
    if (base === undefined) return undefined
    weight += pledge.weight
    amount += (pledge.weight * (end - base)) / SCALE - (pledge.weight * (start - base)) / SCALE
  }
  // The total weight is the pool's figure, but never less than the member's own weight.
  return { weight, totalWeight: min(weight, closed.S) === weight ? closed.S : weight, amount }
}

/** The oldest day of the table that is needed to recompute the lines from this day on. */
export const oldestDayNeeded = (day: number, pledges: readonly Pledge[]): number =>
  pledges.reduce(
    (oldest, { startDay, endDay }) => (endDay > day && startDay - 1 < oldest ? startDay - 1 : oldest),
    day - 1,
  )

type DayCheckInput = {
  readonly pledges: readonly Pledge[]
  /** The member's line as the pool reports it; null if the pool reports none. */
  readonly line: DividendLine | null
  readonly table: Table
}

/** Checks that a day follows from the day before, and the member's line from the table and the member's pledges. */
export function checkDay(day: number, { pledges, line, table }: DayCheckInput): DayCheck {
  const reported = table.days.get(day)
  const before = table.first === day ? null : table.days.get(day - 1)
  const own = recomputeLine(day, pledges, table)
  if (reported === undefined || before === undefined || own === undefined) return { kind: 'unknown' }
  const faults = [...findTableFaults(reported, before), ...findLineFaults(line, own)]
  return faults.length === 0 ? { kind: 'checked' } : { kind: 'differs', faults }
}

function findLineFaults(reported: DividendLine | null, recomputed: DividendLine | null): LineFault[] {
  return (['weight', 'totalWeight', 'amount'] as const).flatMap((at): LineFault[] => {
    // Without a running pledge there is no total weight to compare.
    if (at === 'totalWeight' && (!reported || !recomputed)) return []
    const [one, other] = [reported?.[at] ?? 0n, recomputed?.[at] ?? 0n]
    return one === other ? [] : [{ at, reported: one, recomputed: other }]
  })
}
