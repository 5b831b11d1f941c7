import type { DataOf } from '@lode/wire'
import { tailOf } from '../../platform/chain/column.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Session } from '../../platform/http/session.ts'

/** On the configured origin, whatever host the call came by: nobody is to be invited to somewhere else. */
export async function readShareCard(
  db: Database,
  { memberId, account }: Session,
  publicOrigin: URL,
): Promise<DataOf<'share/card'>> {
  const { invite_code: code } = await db
    .selectFrom('lode.member')
    .select('invite_code')
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  const link = new URL('/regist', publicOrigin)
  link.searchParams.set('invite', code)
  return { code, link: link.href, tail: tailOf(account) }
}
