import type { Language } from '@lode/wire'
import { languageFacts } from '../i18n/index.ts'

const date = { year: 'numeric', month: 'short', day: 'numeric' } as const
const DAY_MS = 86_400_000

const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** The day of a moment as its reader's calendar shows it. */
export const formatDate = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(languageFacts[language].locale, date).format(new Date(iso))

/** A day of UTC by its number, the same to readers everywhere; `short` without its year, where it is about now. */
export const formatDay = (day: number, language: Language, form: 'whole' | 'short' = 'whole'): string =>
  new Intl.DateTimeFormat(languageFacts[language].locale, {
    ...(form === 'whole' ? date : { month: date.month, day: date.day }),
    timeZone: 'UTC',
  }).format(new Date(day * DAY_MS))

/** A moment as its reader's clock shows it. */
export const formatMoment = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(languageFacts[language].locale, { ...date, ...time }).format(new Date(iso))

/** The same where it is mostly of today: then the time alone says it. */
export function formatRecent(iso: string, now: number, language: Language): string {
  const isToday = formatDate(iso, language) === formatDate(new Date(now).toISOString(), language)
  return isToday
    ? new Intl.DateTimeFormat(languageFacts[language].locale, time).format(new Date(iso))
    : formatMoment(iso, language)
}
