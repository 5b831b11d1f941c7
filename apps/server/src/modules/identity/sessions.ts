import type { Id } from '@lode/kernel'
import type { DataOf, SessionMode } from '@lode/wire'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import type { Session } from '../../platform/http/session.ts'
import { parseUserAgent } from './browser.ts'
import { sessionIsAlive } from './queries.ts'

type SessionListRow = {
  id: Id<'session'>
  mode: SessionMode
  user_agent: string | null
  created_at: Date
  last_action_at: Date
}

/** Newest first: session ids sort by the time at which they were made. */
export async function listSessions(
  db: Database,
  currentSession: Session,
): Promise<DataOf<'account/sessions'>['items']> {
  const { rows } = await sql<SessionListRow>`
    select id, mode, user_agent, created_at, last_action_at
    from lode.session as session where member_id = ${currentSession.memberId} and ${sessionIsAlive}
    order by id desc`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    device: parseUserAgent(row.user_agent ?? ''),
    mode: row.mode,
    createdAt: row.created_at.toISOString(),
    lastActionAt: row.last_action_at.toISOString(),
    current: row.id === currentSession.id,
  }))
}

/** Ends one session by its id, or all `others`, and logs it in the same transaction. Returns how many ended. */
export async function revokeSessions(db: Database, currentSession: Session, target: string): Promise<number> {
  const revoked = target === 'others' ? null : target
  const { rows } = await sql<{ ended: number }>`
    select lode.revoke_sessions(${currentSession.memberId}, ${currentSession.id}, ${revoked}::uuid) as ended`.execute(
    db,
  )
  return rows[0]?.ended ?? 0
}
