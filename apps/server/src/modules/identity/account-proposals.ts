import { ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import { ALL_MEMBERS, type Proposal, SIGNATURES_NEEDED } from '../operators/index.ts'

/**
 * The proposals about members' accounts. A proposal that could not be carried out is refused, with the reason as text.
 * The database checks again when the worker carries the decision out.
 */

const WEEK_HOURS = 7 * 24
const DAY_HOURS = 24

export async function proposeDisabling(
  db: Database,
  address: Address,
  note: string | undefined,
): Promise<Result<Proposal<'disable'>, string>> {
  const member = await readMember(db, address)
  if (!member) return refused(`${address} is not registered.`)
  if (member.disabledAt) return refused(`${address} is disabled already.`)
  return ok({
    verb: 'disable',
    subject: accountSubject(address),
    terms: { address, ...(note === undefined ? {} : { note }) },
    needed: SIGNATURES_NEEDED,
    validHours: WEEK_HOURS,
  })
}

/** The decision names the time at which the member was disabled, so that it cannot undo a later decision. */
export async function proposeEnabling(
  db: Database,
  address: Address,
  note: string | undefined,
): Promise<Result<Proposal<'enable'>, string>> {
  const member = await readMember(db, address)
  if (!member) return refused(`${address} is not registered.`)
  if (!member.disabledAt) return refused(`${address} is not disabled.`)
  return ok({
    verb: 'enable',
    subject: accountSubject(address),
    terms: { address, disabledAt: member.disabledAt.toISOString(), ...(note === undefined ? {} : { note }) },
    needed: SIGNATURES_NEEDED,
    validHours: WEEK_HOURS,
  })
}

/** One signature is enough: members only have to sign in again. */
export async function proposeEndOfSessions(
  db: Database,
  whose: Address | typeof ALL_MEMBERS,
  note: string,
): Promise<Result<Proposal<'end-sessions'>, string>> {
  if (whose !== ALL_MEMBERS && !(await readMember(db, whose))) return refused(`${whose} is not registered.`)
  return ok({
    verb: 'end-sessions',
    subject: whose === ALL_MEMBERS ? 'sessions' : accountSubject(whose),
    terms: { of: whose, note },
    needed: 1,
    validHours: DAY_HOURS,
    alwaysNew: true,
  })
}

const accountSubject = (address: Address): string => `account:${address.toLowerCase()}`

async function readMember(db: Database, address: Address): Promise<{ disabledAt: Date | null } | null> {
  const { rows } = await sql<{ disabled_at: Date | null }>`
    select date_trunc('milliseconds', disabled_at) as disabled_at
    from lode.member where account = ${bytesOf(address)}`.execute(db)
  const [row] = rows
  return row ? { disabledAt: row.disabled_at } : null
}
