import type { DataOf } from '@lode/wire'
import { sql } from 'kysely'
import { addressTail } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Session } from '../../platform/http/session.ts'

/** The link always has the configured origin, not the host of the request, so that it cannot lead to another site. */
export async function readShareCard(
  db: Database,
  { memberId, account }: Session,
  publicOrigin: URL,
): Promise<DataOf<'share/card'>> {
  const { rows } = await sql<{ invite_code: string }>`
    select invite_code from lode.member where id = ${memberId}`.execute(db)
  const [member] = rows
  if (!member) throw new Error('the session has no member')
  const code = member.invite_code
  const link = new URL('/regist', publicOrigin)
  link.searchParams.set('invite', code)
  return { code, link: link.href, tail: addressTail(account) }
}
