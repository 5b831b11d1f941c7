import type { Id } from '@lode/kernel'
import type { DataOf, SessionMode } from '@lode/wire'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import type { Session } from '../../platform/http/session.ts'
import { nameOf } from './browser.ts'
import { isAlive } from './queries.ts'

type Row = {
  id: Id<'session'>
  mode: SessionMode
  user_agent: string | null
  created_at: Date
  last_action_at: Date
}

/** Newest first: session ids sort by the time at which they were made. */
export async function listSessions(db: Database, own: Session): Promise<DataOf<'account/sessions'>['items']> {
  const { rows } = await sql<Row>`
    select id, mode, user_agent, created_at, last_action_at
    from lode.session as session where member_id = ${own.memberId} and ${isAlive}
    order by id desc`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    device: nameOf(row.user_agent ?? ''),
    mode: row.mode,
    createdAt: row.created_at.toISOString(),
    lastActionAt: row.last_action_at.toISOString(),
    current: row.id === own.id,
  }))
}

/** Ends sessions and writes a line to the security log, in one transaction. Returns how many ended. */
export async function revokeSessions(db: Database, own: Session, which: string): Promise<number> {
  const revoked = which === 'others' ? null : which
  const { rows } = await sql<{ ended: number }>`
    select lode.revoke_sessions(${own.memberId}, ${own.id}, ${revoked}::uuid) as ended`.execute(db)
  return rows[0]?.ended ?? 0
}
