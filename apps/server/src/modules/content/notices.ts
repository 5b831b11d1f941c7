import { ok, type Result, refused } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { cutPage, oneBeyond } from '../../platform/http/page.ts'
import type { PlanAnnouncements } from '../plan/index.ts'
import { type NoticeWords, readNoticeText } from './notice-text.ts'

/** Publishes a notice to all members, or returns why it cannot be published. */
export async function publishNotice(
  db: Database,
  text: string,
): Promise<Result<{ id: bigint; title: string }, string>> {
  const words = readNoticeText(text)
  if (!words.ok) return refused(['The notice cannot be published:', ...words.error.map((one) => `  ${one}`)].join('\n'))
  const { rows } = await sql<{ id: bigint }>`
    insert into lode.notice (words) values (${JSON.stringify(words.value)}) returning id`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the notice was not stored')
  return ok({ id: row.id, title: words.value.en.title })
}

type Page = { readonly before?: bigint; readonly limit: number }
type Row = { id: bigint; at: Date; words: NoticeWords | null; plan_version: number | null; read: boolean }

export async function listNotices(
  db: Database,
  member: bigint,
  { before, limit }: Page,
  announcements: PlanAnnouncements,
): Promise<DataOf<'notice/list'>> {
  const { rows } = await sql<Row>`
    select notice.id, notice.at, notice.words, notice.plan_version, not ${isUnread} as read
    from lode.notice, lode.member
    where member.id = ${member} ${before === undefined ? sql`` : sql`and notice.id < ${before}`}
    order by notice.id desc
    limit ${oneBeyond(limit)}`.execute(db)
  const { page, next } = cutPage(rows, limit, ({ id }) => id)
  const plans = await announcements(db)
  const items = page.map(({ id, at, read, words, plan_version }) => {
    const every = { id: String(id), at: at.toISOString(), read }
    if (words) return { ...every, kind: 'message' as const, words }
    const plan = plans.get(plan_version ?? 0)
    if (!plan) throw new Error(`notice ${id} is of a plan that is not there`)
    return { ...every, kind: 'plan' as const, ...plan }
  })
  return { items, next, unread: await countUnread(db, member) }
}

/** Marks a notice as read. Repeated calls and unknown ids have no effect. Returns how many notices are unread. */
export async function markRead(
  db: Database,
  member: bigint,
  { id, andOlder }: { id: bigint; andOlder: boolean },
): Promise<number> {
  await sql`
    insert into lode.notice_read (member_id, notice_id)
    select member.id, notice.id from lode.notice, lode.member
    where member.id = ${member} and ${isUnread} and ${andOlder ? sql`notice.id <= ${id}` : sql`notice.id = ${id}`}
    on conflict do nothing`.execute(db)
  return countUnread(db, member)
}

const isUnread = sql`(
  notice.at > member.created_at
  and not exists (select from lode.notice_read where member_id = member.id and notice_id = notice.id))`

const MOST_COUNTED = 100

/** Counts only notices since the member registered. Their number does not grow with the number of members. */
async function countUnread(db: Database, member: bigint): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from (
      select from lode.notice, lode.member where member.id = ${member} and ${isUnread} limit ${MOST_COUNTED}) as counted`.execute(
    db,
  )
  return rows[0]?.unread ?? 0
}
