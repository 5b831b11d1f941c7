import { parseAmount } from '@lode/kernel'
import type { DataOf } from '@lode/wire'

/**
 * The pool's reckoning of dividends, done again here from what anybody can read: the table of days, and the member's own pledges. It is
 * written apart from the server's, and asks it for nothing but the figures that are to be checked.
 */

/** P: what one unit of weight has got is counted in this many parts. */
const SCALE = 10n ** 36n

type DayAsTold = DataOf<'pool/days'>['items'][number]
type LineAsTold = DataOf<'pledge/days'>['items'][number]
type RecordAsTold = DataOf<'pledge/records'>['items'][number]

const figures = ['F', 'X', 'T', 'C', 'Z', 'S', 'q', 'A', 'R'] as const
type Figure = (typeof figures)[number]

/** A closed day: BTC in its smallest units, all else in whole numbers. */
export type Day = { readonly day: number; readonly funded: bigint } & { readonly [F in Figure]: bigint }

export type Pledge = {
  readonly weight: bigint
  /** From the first day up to, and without, the second. */
  readonly startDay: number
  readonly endDay: number
}

/** What a figure should be by what it follows from. */
export type TableFault =
  /** The day before it is not the one before it in the table. */
  | { readonly at: 'days' }
  /** What was paid in for it does not add up, or was for a later day. */
  | { readonly at: 'fundings' }
  | { readonly at: Figure; readonly told: bigint; readonly reckoned: bigint }

export type LineFault =
  | TableFault
  /** What the member's pledges weighed on that day, what all did, and what came of it in units of BTC. */
  | { readonly at: 'weight' | 'totalWeight' | 'amount'; readonly told: bigint; readonly reckoned: bigint }

export type OwnLine = { readonly weight: bigint; readonly totalWeight: bigint; readonly amount: bigint }

export type Check =
  | { readonly kind: 'checked' }
  | { readonly kind: 'differs'; readonly faults: readonly LineFault[] }
  /** So much of the table is not here yet. */
  | { readonly kind: 'unknown' }

// ---- as it is told ---------------------------------------------------------------------------------------------------------

/** What is no amount of whole units adds up with nothing. */
const NO_AMOUNT = -1n

function unitsOf(asset: 'BTC' | 'BTN', decimals: number, amount: string): bigint {
  const parsed = parseAmount(asset, decimals, amount)
  return parsed.ok ? parsed.value : NO_AMOUNT
}

export function dayFrom(told: DayAsTold, decimals: number): Day {
  const { day, fundings, F, X, T, C, Z, S, q, A, R } = told
  const btc = (amount: string) => unitsOf('BTC', decimals, amount)
  // What is for a later day can be in none before it.
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

/** Null until it is paid: it has no days. Its weight is reckoned from its BTN and its term, not taken as it is told. */
export function pledgeFrom({ amount, termWeight, startDay, endDay }: RecordAsTold): Pledge | null {
  if (startDay === null || endDay === null) return null
  return { weight: unitsOf('BTN', 0, amount) * BigInt(termWeight), startDay, endDay }
}

// ---- the table of itself -----------------------------------------------------------------------------------------------------

const BEFORE_ALL_DAYS = { C: 0n, A: 0n, R: 0n } as const

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** What of a day does not follow from the one before it; null as the day before is what the first day of all has. */
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

// ---- a member's line ---------------------------------------------------------------------------------------------------------

const runsOn = (day: number, { startDay, endDay }: Pledge): boolean => startDay <= day && day < endDay

/** The table as far as it is here. */
export type Table = {
  readonly days: ReadonlyMap<number, Day>
  /** The first day of all, where it is known: before it nobody had anything. */
  readonly first: number | null
}

/** A at the end of a day: what one unit of weight had got by then. Undefined where that is not here. */
function perWeightAt(day: number, { days, first }: Table): bigint | undefined {
  return first !== null && day < first ? 0n : days.get(day)?.A
}

/** What a member's pledges brought on a day; null where none ran, undefined where that cannot be said yet. */
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
  // All weights together are the pool's word, but never less than the member's own.
  return { weight, totalWeight: least(weight, closed.S) === weight ? closed.S : weight, amount }
}

/** How far back the table must be here, so that the lines of this day and later ones can be reckoned. */
export const oldestNeeded = (day: number, pledges: readonly Pledge[]): number =>
  pledges.reduce(
    (oldest, { startDay, endDay }) => (endDay > day && startDay - 1 < oldest ? startDay - 1 : oldest),
    day - 1,
  )

type Told = {
  readonly pledges: readonly Pledge[]
  /** The member's line as the pool tells it; null where it tells of none. */
  readonly line: OwnLine | null
  readonly table: Table
}

/** Whether a day follows from the day before, and the member's line from the table. */
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
    // Where no pledge runs there is nothing to compare all weights with.
    if (at === 'totalWeight' && (!told || !reckoned)) return []
    const [one, other] = [told?.[at] ?? 0n, reckoned?.[at] ?? 0n]
    return one === other ? [] : [{ at, told: one, reckoned: other }]
  })
}
