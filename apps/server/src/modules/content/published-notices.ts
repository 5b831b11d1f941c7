import type { Language } from '@lode/wire'
import { languages } from '@lode/wire'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import type { NoticeWords } from './notice-text.ts'

/** A notice to all members, for the command line. */
export type PublishedNotice = {
  readonly id: bigint
  readonly at: Date
  /** Null if it announces a version of the plan: the app writes these words. */
  readonly words: NoticeWords | null
  readonly planVersion: number | null
  /** The operators' decision. */
  readonly decisionId: bigint | null
}

const columns = sql`id, at, words, plan_version as "planVersion", decision_id as "decisionId"`

/** The newest first. Notices to one member only are left out. */
export async function listPublishedNotices(
  db: Database,
  { before, limit }: { readonly before: bigint | null; readonly limit: number },
): Promise<PublishedNotice[]> {
  const { rows } = await sql<PublishedNotice>`
    select ${columns} from lode.notice
    where member_id is null and (${before}::bigint is null or id < ${before}) order by id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

export type RepeatedNotices = {
  /** Published notices with exactly these words. */
  readonly same: readonly PublishedNotice[]
  /** Other published notices with the same title in at least one language. */
  readonly sameTitle: readonly PublishedNotice[]
  /** Decisions with two stored signatures that the worker has not carried out yet. */
  readonly awaited: readonly bigint[]
}

/** What a new notice would repeat. Operators decide whether that is a mistake. */
export async function findRepeatedNotices(
  db: Database,
  { words, subject }: { readonly words: NoticeWords; readonly subject: string },
): Promise<RepeatedNotices> {
  const hasTitle = (lang: Language) => sql`words -> ${lang}::text ->> 'title' = ${words[lang].title}`
  const { rows } = await sql<PublishedNotice & { isSame: boolean }>`
    select ${columns}, words = ${JSON.stringify(words)}::jsonb as "isSame" from lode.notice
    where member_id is null and (${sql.join(languages.map(hasTitle), sql` or `)})
    order by id desc limit 20`.execute(db)
  const { rows: decisions } = await sql<{ id: bigint }>`
    select id from lode.decision
    where subject = ${subject} and verb = 'publish-notice' and expires_at > lode.now()
      and (select count(*) from lode.decision_signature as given where given.decision_id = decision.id) >= 2
      and not exists (select from lode.decision_outcome as outcome where outcome.decision_id = decision.id)
    order by id limit 20`.execute(db)
  const plain = rows.map(({ isSame: _isSame, ...notice }) => notice)
  return {
    same: plain.filter((_notice, index) => rows[index]?.isSame),
    sameTitle: plain.filter((_notice, index) => !rows[index]?.isSame),
    awaited: decisions.map(({ id }) => id),
  }
}
