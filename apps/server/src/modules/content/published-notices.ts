import type { Language } from '@lode/wire'
import { languages } from '@lode/wire'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { type Operators, SIGNATURES_NEEDED } from '../operators/index.ts'
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
  /** Decisions that two operators have signed and the worker has not carried out yet. */
  readonly awaited: readonly bigint[]
}

type NewNotice = { readonly words: NoticeWords; readonly subject: string; readonly operators: Operators }

/** What a new notice would repeat. Operators decide whether that is a mistake. */
export async function findRepeatedNotices(
  db: Database,
  { words, subject, operators }: NewNotice,
): Promise<RepeatedNotices> {
  const hasTitle = (lang: Language) => sql`words -> ${lang}::text ->> 'title' = ${words[lang].title}`
  const { rows } = await sql<PublishedNotice & { isSame: boolean }>`
    select ${columns}, words = ${JSON.stringify(words)}::jsonb as "isSame" from lode.notice
    where member_id is null and (${sql.join(languages.map(hasTitle), sql` or `)})
    order by id desc limit 20`.execute(db)
  const plain = rows.map(({ isSame: _isSame, ...notice }) => notice)
  return {
    same: plain.filter((_notice, index) => rows[index]?.isSame),
    sameTitle: plain.filter((_notice, index) => !rows[index]?.isSame),
    awaited: await findAwaited(db, subject, operators),
  }
}

/** Only valid signatures count: false rows must not keep the second operator from signing. */
async function findAwaited(db: Database, subject: string, operators: Operators): Promise<bigint[]> {
  const verified = (await operators.readVerified(db, [subject])).get(subject) ?? []
  const complete = verified
    .filter(({ verb, signers }) => verb === 'publish-notice' && signers.length >= SIGNATURES_NEEDED)
    .map(({ id }) => id)
  const { rows } = await sql<{ id: bigint }>`
    select id from unnest(${complete}::bigint[]) as decided (id)
    where not exists (select from lode.decision_outcome as outcome where outcome.decision_id = decided.id)
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}
