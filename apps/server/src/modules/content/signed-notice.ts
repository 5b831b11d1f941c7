import type { Database } from '../../platform/db/database.ts'
import { readSignedText } from '../operators/index.ts'
import { parseNoticeText } from './notice-text.ts'

/** The English title of the notice whose text has this hash; null if the text is not stored. */
export async function readNoticeTitle(db: Database, textHash: string): Promise<string | null> {
  const text = await readSignedText(db, textHash)
  const notice = text === null ? null : parseNoticeText(text)
  return notice?.ok ? notice.value.en.title : null
}
