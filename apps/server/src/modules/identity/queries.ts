import type { Id, InvitationCode } from '@lode/kernel'
import type { DataOf, Language, SessionMode } from '@lode/wire'
import { type SqlBool, sql } from 'kysely'
import type { Address } from 'viem'
import { addressFromColumn, addressTail, bytesOf } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import { isDatabaseUnavailable } from '../../platform/db/database-unavailable.ts'
import type { Session } from '../../platform/http/session.ts'
import { computeLastActionAt, SESSION_IDLE_LIMIT_SECONDS, SESSION_LIFETIME_SECONDS } from './rules.ts'
import { hashToken } from './secrets.ts'

export type AccountLookup = { now: Date; registered: boolean; inviterTail: string | null }

/** Everything that the sign-in page needs to know about an account and a code, in one round trip. */
export async function lookUpAccount(
  db: Database,
  account: Address,
  invite: InvitationCode | null,
): Promise<AccountLookup> {
  const { rows } = await sql<{ now: Date; registered: boolean; inviter: Buffer | null }>`
    select lode.now() as now,
           exists (select from lode.member where account = ${bytesOf(account)}) as registered,
           (select account from lode.member where invite_code = ${invite}) as inviter`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the account lookup returned no row')
  return {
    now: row.now,
    registered: row.registered,
    inviterTail: row.inviter && addressTail(addressFromColumn(row.inviter)),
  }
}

type SessionRow = {
  id: Id<'session'>
  member_id: bigint
  mode: SessionMode
  last_action_at: Date
  account: Buffer
  now: Date
}

/**
 * Finds the live session of a token, with one lookup by its hash. The row is updated only if the last action has moved
 * by at least a minute. Disabling an account deletes its full sessions; this query also refuses them, as a second
 * check.
 */
export async function findSession(db: Database, token: string, idleSeconds: number): Promise<Session | null> {
  const { rows } = await sql<SessionRow>`
    select session.id, session.member_id, session.mode, session.last_action_at, member.account, lode.now() as now
    from lode.session as session
    join lode.member as member on member.id = session.member_id
    where session.token_hash = ${hashToken(token)} and ${sessionIsAlive}
      and (session.mode = 'exit' or member.disabled_at is null)`.execute(db)
  const [row] = rows
  if (!row) return null

  const actedAt = computeLastActionAt(row.last_action_at, row.now, idleSeconds)
  if (actedAt) await moveLastAction(db, row.id, actedAt)
  return { id: row.id, memberId: row.member_id, account: addressFromColumn(row.account), mode: row.mode }
}

export const sessionIsAlive = sql<SqlBool>`
  session.last_action_at > lode.now() - make_interval(secs => ${SESSION_IDLE_LIMIT_SECONDS})
  and session.created_at > lode.now() - make_interval(secs => ${SESSION_LIFETIME_SECONDS})`

/**
 * The last action only moves forward, because concurrent calls may arrive out of order. Nothing is lost if it does not
 * move, so this neither waits for a standby nor fails a read while the database cannot write.
 */
async function moveLastAction(db: Database, id: Id<'session'>, actedAt: Date): Promise<void> {
  try {
    await sql`
      with no_wait as materialized (select set_config('synchronous_commit', 'off', true))
      update lode.session set last_action_at = ${actedAt} from no_wait
      where id = ${id} and last_action_at < ${actedAt}`.execute(db)
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
  }
}

/** The member's own data. The route adds `protection`, from the protection module, and `risk`. */
export type Profile = Omit<DataOf<'account/profile'>, 'protection' | 'risk'>

type ProfileRow = {
  level: number
  invite_code: string
  lang: Language
  created_at: Date
  sponsor_account: Buffer | null
  previous_login_at: Date | null
  disabled_at: Date | null
  disabled_reason: string | null
  expert: boolean
  partner: boolean
}

export async function readProfile(db: Database, session: Session): Promise<Profile | null> {
  const { rows } = await sql<ProfileRow>`
    select member.level, member.invite_code, member.lang, member.created_at, sponsor.account as sponsor_account,
           session.previous_login_at, member.disabled_at, decision.body::jsonb ->> 'note' as disabled_reason,
           exists (select from lode.sharing_expert where member_id = member.id) as expert,
           exists (select from lode.partner where member_id = member.id) as partner
    from lode.session as session
    join lode.member as member on member.id = session.member_id
    left join lode.member as sponsor on sponsor.id = member.sponsor_id
    left join lode.decision on decision.id = member.disabled_by
    where session.id = ${session.id}`.execute(db)
  const [row] = rows
  if (!row) return null
  return {
    account: session.account,
    mode: session.mode,
    level: row.level,
    activated: row.level >= 1,
    expert: row.expert,
    partner: row.partner,
    disabled: row.disabled_at && { since: row.disabled_at.toISOString(), reason: row.disabled_reason },
    inviterTail: row.sponsor_account && addressTail(addressFromColumn(row.sponsor_account)),
    inviteCode: row.invite_code,
    lang: row.lang,
    lastLoginAt: row.previous_login_at?.toISOString() ?? null,
    registeredAt: row.created_at.toISOString(),
  }
}
