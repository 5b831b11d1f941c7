import { parseAmount } from '@lode/kernel'
import type { DataOf } from '@lode/wire'

/**
 * Recomputes the pool's dividends from public data: the table of days, and the member's own pledges. This code is
 * written independently of the server's and takes from the server only the figures to check.
 */

/** P in the documentation: the scale of the earnings of one unit of weight. */
const SCALE = 10n ** 36n

type DayAsTold = DataOf<'pool/days'>['items'][number]
type LineAsTold = DataOf<'pledge/days'>['items'][number]
type RecordAsTold = DataOf<'pledge/records'>['items'][number]

const figures = ['F', 'X', 'T', 'C', 'Z', 'S', 'q', 'A', 'R'] as const
type Figure = (typeof figures)[number]

/** A closed day. BTC in smallest units, everything else in whole numbers. */
export type Day = { readonly day: number; readonly funded: bigint } & { readonly [F in Figure]: bigint }

export type Pledge = {
  readonly weight: bigint
  /** The pledge runs from the first day up to, but not including, the second. */
  readonly startDay: number
  readonly endDay: number
}

/** A figure that does not follow from the others. */
export type TableFault =
  /** The previous row of the table is not the previous day. */
  | { readonly at: 'days' }
  /** The fundings of the day do not add up, or one of them is for a later day. */
  | { readonly at: 'fundings' }
  | { readonly at: Figure; readonly told: bigint; readonly reckoned: bigint }

export type LineFault =
  | TableFault
  /** The weight of the member's pledges on that day, the total weight, and the dividend in units of BTC. */
  | { readonly at: 'weight' | 'totalWeight' | 'amount'; readonly told: bigint; readonly reckoned: bigint }

export type OwnLine = { readonly weight: bigint; readonly totalWeight: bigint; readonly amount: bigint }

export type Check =
  | { readonly kind: 'checked' }
  | { readonly kind: 'differs'; readonly faults: readonly LineFault[] }
  /** The part of the table that is needed has not been read yet. */
  | { readonly kind: 'unknown' }

// ---- reading the pool's figures -------------------------------------------------------------------------------------

/** Stands for a text that is not an amount. No sum with it can be right. */
const NO_AMOUNT = -1n

function unitsOf(asset: 'BTC' | 'BTN', decimals: number, amount: string): bigint {
  const parsed = parseAmount(asset, decimals, amount)
  return parsed.ok ? parsed.value : NO_AMOUNT
}

export function dayFrom(told: DayAsTold, decimals: number): Day {
  const { day, fundings, F, X, T, C, Z, S, q, A, R } = told
  const btc = (amount: string) => unitsOf('BTC', decimals, amount)
  // A funding for a later day cannot be in this day.
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

export const lineFrom = ({ weight, totalWeight, amount }: LineAsTold, decimals: number): OwnLine => ({
  weight: BigInt(weight),
  totalWeight: BigInt(totalWeight),
  amount: unitsOf('BTC', decimals, amount),
})

/**
 * Null until the pledge is paid, because it has no days before. The weight is computed from BTN and term, not taken
 * from the pool.
 */
export function pledgeFrom({ amount, termWeight, startDay, endDay }: RecordAsTold): Pledge | null {
  if (startDay === null || endDay === null) return null
  return { weight: unitsOf('BTN', 0, amount) * BigInt(termWeight), startDay, endDay }
}

// ---- checking the table ---------------------------------------------------------------------------------------------

const BEFORE_ALL_DAYS = { C: 0n, A: 0n, R: 0n } as const

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** The figures of a day that do not follow from the day before. `before` is null for the pool's first day. */
export function faultsOf(told: Day, before: Day | null): TableFault[] {
  const { C, A, R } = before ?? BEFORE_ALL_DAYS
  const { F, X, S, Z } = told
  const pot = R + Z
  const T = S === 0n ? 0n : least(C, F)
  const N = (F + T) * SCALE + pot
  const q = S === 0n ? 0n : N / S
  const reckoned: Pick<Day, 'T' | 'C' | 'q' | 'A' | 'R'> = {
    T,
    C: S === 0n ? C + F + X : C + X - T,
    q,
    A: A + q,
    R: S === 0n ? pot : N - q * S,
  }
  const faults: TableFault[] = []
  if (before && before.day + 1 !== told.day) faults.push({ at: 'days' })
  if (told.funded !== F + X) faults.push({ at: 'fundings' })
  for (const at of ['T', 'C', 'q', 'A', 'R'] as const)
    if (told[at] !== reckoned[at]) faults.push({ at, told: told[at], reckoned: reckoned[at] })
  return faults
}

// ---- checking a member's line ---------------------------------------------------------------------------------------

const runsOn = (day: number, { startDay, endDay }: Pledge): boolean => startDay <= day && day < endDay

/** The part of the table that has been read. */
export type Table = {
  readonly days: ReadonlyMap<number, Day>
  /** The pool's first day, if it is known. Before it nobody had earned anything. */
  readonly first: number | null
}

/** A at the end of a day: what one unit of weight had earned by then. Undefined if that day has not been read. */
function perWeightAt(day: number, { days, first }: Table): bigint | undefined {
  return first !== null && day < first ? 0n : days.get(day)?.A
}

/**
 * The dividend of a member's pledges on a day. Null if none ran; undefined if the table has not been read far enough.
 */
export function ownLine(day: number, pledges: readonly Pledge[], table: Table): OwnLine | null | undefined {
  const running = pledges.filter((pledge) => runsOn(day, pledge))
  if (running.length === 0) return null
  const [closed, end, start] = [table.days.get(day), perWeightAt(day, table), perWeightAt(day - 1, table)]
  if (closed === undefined || end === undefined || start === undefined) return undefined
  let [weight, amount] = [0n, 0n]
  for (const pledge of running) {
    const base = perWeightAt(pledge.startDay - 1, table)
    if (base === undefined) return undefined
    weight += pledge.weight
    amount += (pledge.weight * (end - base)) / SCALE - (pledge.weight * (start - base)) / SCALE
  }
  // The total weight is the pool's figure, but never less than the member's own weight.
  return { weight, totalWeight: least(weight, closed.S) === weight ? closed.S : weight, amount }
}

/** The oldest day of the table that is needed to recompute the lines from this day on. */
export const oldestNeeded = (day: number, pledges: readonly Pledge[]): number =>
  pledges.reduce(
    (oldest, { startDay, endDay }) => (endDay > day && startDay - 1 < oldest ? startDay - 1 : oldest),
    day - 1,
  )

type Told = {
  readonly pledges: readonly Pledge[]
  /** The member's line as the pool reports it; null if the pool reports none. */
  readonly line: OwnLine | null
  readonly table: Table
}

/** Checks that a day follows from the day before, and that the member's line follows from the table. */
export function checkDay(day: number, { pledges, line, table }: Told): Check {
  const told = table.days.get(day)
  const before = table.first === day ? null : table.days.get(day - 1)
  const own = ownLine(day, pledges, table)
  if (told === undefined || before === undefined || own === undefined) return { kind: 'unknown' }
  const faults = [...faultsOf(told, before), ...lineFaults(line, own)]
  return faults.length === 0 ? { kind: 'checked' } : { kind: 'differs', faults }
}

function lineFaults(told: OwnLine | null, reckoned: OwnLine | null): LineFault[] {
  return (['weight', 'totalWeight', 'amount'] as const).flatMap((at): LineFault[] => {
    // Without a running pledge there is no total weight to compare.
    if (at === 'totalWeight' && (!told || !reckoned)) return []
    const [one, other] = [told?.[at] ?? 0n, reckoned?.[at] ?? 0n]
    return one === other ? [] : [{ at, told: one, reckoned: other }]
  })
}
