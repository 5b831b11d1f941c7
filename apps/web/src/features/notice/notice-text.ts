import type { Language } from '@lode/wire'
import { formatDate, formatMoment } from '../../shared/format/index.ts'
import type { TextFunction } from '../../shared/i18n/index.ts'
import type { Notice } from './use-notices.ts'

/** The title of a notice in the reader's language. */
export function noticeTitle(t: TextFunction, notice: Notice, language: Language): string {
  if (notice.kind === 'message') return notice.words[language].title
  return notice.standing === 'overtaken'
    ? t('notice.plan.takenBackTitle', { version: notice.version })
    : t('notice.plan.title', { date: formatDate(notice.startsAt, language) })
}

/** The paragraphs of a notice. The changes of a plan are listed below them. */
export function noticeParagraphs(t: TextFunction, notice: Notice, language: Language): readonly string[] {
  if (notice.kind === 'message') return notice.words[language].body
  const { version, startsAt } = notice
  const moment = formatMoment(startsAt, language)
  switch (notice.standing) {
    case 'coming':
      return [t('notice.plan.coming', { version, moment })]
    case 'current':
    case 'past':
      return [t('notice.plan.started', { version, moment })]
    case 'overtaken':
      return [t('notice.plan.takenBack', { version })]
  }
}
