import type { Language } from '@lode/wire'
import { languageFacts } from '../i18n/index.ts'

const DAY_MS = 86_400_000

const date = { year: 'numeric', month: 'short', day: 'numeric' } as const
const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const forms = {
  date,
  time,
  moment: { ...date, ...time },
  day: { ...date, timeZone: 'UTC' },
  month: { year: 'numeric', month: 'short', timeZone: 'UTC' },
  dayOfThisYear: { month: date.month, day: date.day, timeZone: 'UTC' },
} as const

const formatters = new Map<string, Intl.DateTimeFormat>()

/**
 * Formatters are cached, because making one takes longer than formatting all dates of a page. The key has the time zone
 * offset, because a traveling reader's time zone changes.
 */
function formatterOf(form: keyof typeof forms, language: Language): Intl.DateTimeFormat {
  const key = `${form} ${language} ${new Date().getTimezoneOffset()}`
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(languageFacts[language].locale, forms[form])
  formatters.set(key, formatter)
  return formatter
}

/** The day of a moment in the reader's time zone. */
export const formatDate = (iso: string, language: Language): string =>
  formatterOf('date', language).format(new Date(iso))

/** A UTC day by its number, the same for readers everywhere. `short` leaves out the year. */
export const formatDay = (day: number, language: Language, form: 'whole' | 'short' = 'whole'): string =>
  formatterOf(form === 'whole' ? 'day' : 'dayOfThisYear', language).format(new Date(day * DAY_MS))

/** The UTC month of a day. */
export const formatMonth = (day: number, language: Language): string =>
  formatterOf('month', language).format(new Date(day * DAY_MS))

/** A moment in the reader's time zone. */
export const formatMoment = (iso: string, language: Language): string =>
  formatterOf('moment', language).format(new Date(iso))

/** A moment in the reader's time zone; only the time if it is today. */
export function formatRecent(iso: string, now: number, language: Language): string {
  const isToday = formatDate(iso, language) === formatDate(new Date(now).toISOString(), language)
  return isToday ? formatterOf('time', language).format(new Date(iso)) : formatMoment(iso, language)
}
