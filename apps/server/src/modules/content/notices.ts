import { createHash } from 'node:crypto'
import { ok, type Result, refused } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { sql } from 'kysely'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import type { OpaqueIds } from '../../platform/http/opaque-ids.ts'
import { cutPage, type Page, rowsToRead } from '../../platform/http/page.ts'
import { canonicalJson, type Proposal, SIGNATURES_NEEDED } from '../operators/index.ts'
import type { ReadPlanNotices } from '../plan/index.ts'
import { type NoticeWords, parseNoticeText } from './notice-text.ts'
import { readReversalNotices } from './reversal-notice.ts'

export type PreparedNotice = {
  /** Names the text by its hash. */
  readonly subject: string
  readonly proposal: Proposal<'publish-notice'>
  readonly words: NoticeWords
  readonly text: string
}

/** Prepares the notice that two operators are to sign, or returns why it cannot be published. */
export function prepareNotice(written: string): Result<PreparedNotice, string> {
  const parsed = parseNoticeText(written)
  if (!parsed.ok)
    return refused(['The notice cannot be published:', ...parsed.error.map((one) => `  ${one}`)].join('\n'))
  // Spaces and the order of keys in the file do not matter: both operators sign the same text.
  const text = canonicalJson(parsed.value)
  const hash = createHash('sha256').update(text, 'utf8').digest('hex')
  const subject = `notice:${hash}`
  return ok({
    words: parsed.value,
    text,
    subject,
    proposal: {
      verb: 'publish-notice',
      // A function, so that a half-signed notice with other words is found, too.
      subject: () => subject,
      terms: { text: hash },
      needed: SIGNATURES_NEEDED,
      validHours: WEEK_HOURS,
    },
  })
}

const WEEK_HOURS = 7 * 24

type NoticeRow = {
  id: bigint
  at: Date
  words: NoticeWords | null
  plan_version: number | null
  /** The notice is to this member only: a false posting is undone. */
  reversal_id: bigint | null
  read: boolean
}

type NoticeOptions = {
  readonly readPlanNotices: ReadPlanNotices
  readonly ids: OpaqueIds
  readonly decimals: Decimals
}

export async function listNotices(
  db: Database,
  member: bigint,
  { before, limit }: Page,
  { readPlanNotices, ids, decimals }: NoticeOptions,
): Promise<DataOf<'notice/list'>> {
  const { rows } = await sql<NoticeRow>`
    select notice.id, notice.at, notice.words, notice.plan_version, notice.reversal_id, not ${isUnread} as read
    from lode.notice, lode.member
    where member.id = ${member} and ${isToMember} ${before === undefined ? sql`` : sql`and notice.id < ${before}`}
    order by notice.id desc
    limit ${rowsToRead(limit)}`.execute(db)
  const { page, next } = cutPage(rows, limit, ({ id }) => id)
  const plans = await readPlanNotices(db)
  const hasReversal = page.some(({ reversal_id }) => reversal_id !== null)
  const reversals = hasReversal ? await readReversalNotices(db, member, decimals) : new Map<bigint, NoticeWords>()
  const items = page.map(({ id, at, read, plan_version, reversal_id, ...row }) => {
    const common = { id: ids.encode(member, id), at: at.toISOString(), read }
    const words = row.words ?? reversals.get(reversal_id ?? 0n)
    if (words) return { ...common, kind: 'message' as const, words }
    const plan = plans.get(plan_version ?? 0)
    if (!plan) throw new Error(`notice ${id} announces a plan that does not exist`)
    return { ...common, kind: 'plan' as const, ...plan }
  })
  return { items, next, unread: await countUnread(db, member) }
}

/**
 * Marks a notice as read; with `andOlder`, all older ones too. Repeating the call changes nothing. Returns how many
 * notices are unread.
 */
export async function markNoticeRead(
  db: Database,
  member: bigint,
  { id, andOlder }: { id: bigint; andOlder: boolean },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await sql`
      insert into lode.notice_read (member_id, notice_id)
      select member.id, notice.id from lode.notice, lode.member
      where member.id = ${member} and ${isToMember} and ${isUnread} and ${andOlder ? sql`notice.id <= ${id}` : sql`notice.id = ${id}`}
      on conflict do nothing`.execute(trx)
    await moveMark(trx, member)
    return countUnread(trx, member)
  })
}

/**
 * Moves the member's mark to the last notice before the first unread one, and deletes the rows that it replaces. A
 * notice of the last ten minutes stays beyond the mark: one with a lower number may still be committed after it.
 */
async function moveMark(trx: Database, member: bigint): Promise<void> {
  await sql`
    insert into lode.notice_mark (member_id, notice_id)
    select ${member}, max(notice.id) from lode.notice
    where notice.at < lode.now() - interval '10 minutes'
      and notice.id < all (
        select notice.id from lode.notice, lode.member where member.id = ${member} and ${isToMember} and ${isUnread}
        order by notice.id limit 1)
    having max(notice.id) is not null
    on conflict (member_id) do update set notice_id = greatest(notice_mark.notice_id, excluded.notice_id)`.execute(trx)
  await sql`
    delete from lode.notice_read
    where member_id = ${member} and notice_id <= (select notice_id from lode.notice_mark where member_id = ${member})`.execute(
    trx,
  )
}

const isToMember = sql`(notice.member_id is null or notice.member_id = member.id)`

const isUnread = sql`(
  notice.at > member.created_at
  and notice.id > coalesce((select notice_id from lode.notice_mark where member_id = member.id), 0)
  and not exists (select from lode.notice_read where member_id = member.id and notice_id = notice.id))`

const MAX_COUNTED = 100

/**
 * Counts unread notices, at most MAX_COUNTED. Notices from before the member's registration do not count. The number of
 * notices does not grow with the number of members, so the query stays fast; notices to one member are rare.
 */
async function countUnread(db: Database, member: bigint): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from (
      select from lode.notice, lode.member where member.id = ${member} and ${isToMember} and ${isUnread} limit ${MAX_COUNTED}) as counted`.execute(
    db,
  )
  return rows[0]?.unread ?? 0
}
