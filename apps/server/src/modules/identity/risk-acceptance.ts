import { ok, type Result, refused } from '@lode/kernel'
import { type DataOf, RISK_VERSION } from '@lode/wire'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import type { Session } from '../../platform/http/session.ts'

/** The current version of the risk explanation, and when this member accepted it. */
export async function readRiskAcceptance(
  db: Database,
  { memberId }: Session,
): Promise<DataOf<'account/profile'>['risk']> {
  const { rows } = await sql<{ at: Date }>`
    select at from lode.risk_acceptance where member_id = ${memberId} and version = ${RISK_VERSION}`.execute(db)
  return { version: RISK_VERSION, acceptedAt: rows[0]?.at.toISOString() ?? null }
}

/** Stores the first acceptance with its time. The version that the member was shown must be the current one. */
export async function acceptRisk(
  db: Database,
  session: Session,
  version: number,
): Promise<Result<DataOf<'account/accept-risk'>, 'risk-changed'>> {
  if (version !== RISK_VERSION) return refused('risk-changed')
  await sql`
    insert into lode.risk_acceptance (member_id, version) values (${session.memberId}, ${version})
    on conflict do nothing`.execute(db)
  const { acceptedAt } = await readRiskAcceptance(db, session)
  if (acceptedAt === null) throw new Error('the risk acceptance was not stored')
  return ok({ version, acceptedAt })
}
