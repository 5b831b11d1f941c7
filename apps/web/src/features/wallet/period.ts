/** Some days, UTC, both included, as `2026-11-15`. */
export type Period = { readonly from: string; readonly to: string }

const DAY_MS = 86_400_000
/** How many months can be chosen by name. Earlier days can be entered. */
const MONTHS = 24

/** A month as `2026-11`. `first` is the number of its first day since 1970-01-01. */
export type Month = { readonly key: string; readonly first: number }

/** The newest months, this one first, back to the month of `since`. */
export function listMonths(now: number, since = 0): Month[] {
  const today = new Date(now)
  const months = monthNumber(today) - monthNumber(new Date(since)) + 1
  return Array.from({ length: Math.min(Math.max(months, 1), MONTHS) }, (_, back) => {
    const month = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 1))
    return { key: month.toISOString().slice(0, 7), first: month.getTime() / DAY_MS }
  })
}

const monthNumber = (day: Date): number => day.getUTCFullYear() * 12 + day.getUTCMonth()

/** All days of a month. */
export function periodOfMonth(key: string): Period {
  const [year = 0, month = 1] = key.split('-').map(Number)
  return { from: `${key}-01`, to: new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10) }
}

/** The day of the calendar as a number of days since 1970-01-01. */
export const dayNumberOf = (calendarDay: string): number => Date.parse(`${calendarDay}T00:00:00Z`) / DAY_MS

/** What a member chose: `incomplete` while the days are being entered. */
export type PeriodChoice = Period | 'all' | 'incomplete'

/** The days that can be entered. The server accepts the same. */
export const FIRST_DAY = '2000-01-01'
export const LAST_DAY = '2099-12-31'

/** While a year is typed, the browser reports years such as 0002. */
const isComplete = (day: string): boolean => /^20\d\d-/.test(day)

/** `incomplete` while a day is missing or its year is being typed, or if the last day is before the first. */
export const completePeriod = ({ from, to }: Period): Period | 'incomplete' =>
  isComplete(from) && isComplete(to) && from <= to ? { from, to } : 'incomplete'
