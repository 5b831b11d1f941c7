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
  dayOfThisYear: { month: date.month, day: date.day, timeZone: 'UTC' },
} as const

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Kept, for to make one takes longer than to write all the dates of a page; and not across time zones, for readers travel. */
function formatterOf(form: keyof typeof forms, language: Language): Intl.DateTimeFormat {
  const key = `${form} ${language} ${new Date().getTimezoneOffset()}`
  const kept = formatters.get(key) ?? new Intl.DateTimeFormat(languageFacts[language].locale, forms[form])
  formatters.set(key, kept)
  return kept
}

/** The day of a moment as its reader's calendar shows it. */
export const formatDate = (iso: string, language: Language): string =>
  formatterOf('date', language).format(new Date(iso))

/** A day of UTC by its number, the same to readers everywhere; `short` without its year, where it is about now. */
export const formatDay = (day: number, language: Language, form: 'whole' | 'short' = 'whole'): string =>
  formatterOf(form === 'whole' ? 'day' : 'dayOfThisYear', language).format(new Date(day * DAY_MS))

/** A moment as its reader's clock shows it. */
export const formatMoment = (iso: string, language: Language): string =>
  formatterOf('moment', language).format(new Date(iso))

/** The same where it is mostly of today: then the time alone says it. */
export function formatRecent(iso: string, now: number, language: Language): string {
  const isToday = formatDate(iso, language) === formatDate(new Date(now).toISOString(), language)
  return isToday ? formatterOf('time', language).format(new Date(iso)) : formatMoment(iso, language)
}
