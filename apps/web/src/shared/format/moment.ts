import type { Language } from '@lode/wire'
import { languageFacts } from '../i18n/index.ts'

const date = { year: 'numeric', month: 'short', day: 'numeric' } as const
const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** The day of a moment as its reader's calendar shows it. */
export const formatDate = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(languageFacts[language].locale, date).format(new Date(iso))

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
