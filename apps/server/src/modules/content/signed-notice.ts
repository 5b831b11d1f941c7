import { languages } from '@lode/wire'
import type { Database } from '../../platform/db/database.ts'
import { readSignedText } from '../operators/index.ts'
import { type NoticeWords, parseNoticeText } from './notice-text.ts'

/** The words of the half-signed or published notice whose text has this hash; null if the text is not stored. */
export async function readSignedNotice(db: Database, textHash: string): Promise<NoticeWords | null> {
  const text = await readSignedText(db, textHash)
  const notice = text === null ? null : parseNoticeText(text)
  return notice?.ok ? notice.value : null
}

/** Where two notices differ, as people count: `en, paragraph 2`. */
export const compareNotices = (one: NoticeWords, other: NoticeWords): string[] =>
  languages.flatMap((lang) => {
    const length = Math.max(one[lang].body.length, other[lang].body.length)
    const paragraphs = Array.from({ length }, (_, index) => index)
    return [
      ...(one[lang].title === other[lang].title ? [] : [`${lang}, title`]),
      ...paragraphs
        .filter((index) => one[lang].body[index] !== other[lang].body[index])
        .map((index) => `${lang}, paragraph ${index + 1}`),
    ]
  })

/** The English title of the notice whose text has this hash; null if the text is not stored. */
export async function readNoticeTitle(db: Database, textHash: string): Promise<string | null> {
  return (await readSignedNotice(db, textHash))?.en.title ?? null
}
