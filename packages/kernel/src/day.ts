declare const dayBrand: unique symbol

/** Whole days since 1970-01-01, UTC. Everything that happens once a day is keyed by it, never by a local date. */
export type DayNumber = number & { readonly [dayBrand]: true }

const DAY_MS = 86_400_000
/** The last day that JavaScript's Date supports. */
const MAX_DAY = 100_000_000

export function dayNumber(value: number): DayNumber {
  if (!Number.isInteger(value) || Math.abs(value) > MAX_DAY)
    throw new RangeError('A day number is a whole number of days')
  return value as DayNumber
}

export const dayOf = (time: Date): DayNumber => dayNumber(Math.floor(time.getTime() / DAY_MS))

export const startOfDay = (day: DayNumber): Date => new Date(day * DAY_MS)

export const addDays = (day: DayNumber, days: number): DayNumber => dayNumber(day + days)
