import type { DataOf, SecurityKind } from '@lode/wire'
import { sql } from 'kysely'
import { addressFromColumn } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import type { OpaqueIds } from '../../platform/http/opaque-ids.ts'
import { cutPage, type Page, rowsToRead } from '../../platform/http/page.ts'
import type { Session } from '../../platform/http/session.ts'
import { parseUserAgent } from '../identity/index.ts'
import { type Hold, listHolds } from './holds.ts'

export type Protection = DataOf<'account/profile'>['protection']

/** How many used output addresses are listed. The member's own wallet is listed in addition. */
const MAX_ADDRESSES = 19

type ProtectionRow = {
  now: Date
  account: Buffer
  chosen_at: Date | null
  changed_at: Date | null
  locked_until: Date | null
  reset_asked_at: Date | null
  reset_ends_at: Date | null
  reset_done_at: Date | null
  transfers_locked_until: Date | null
  bound_address: Buffer
  bound_at: Date | null
  waiting_address: Buffer | null
  waiting_asked_at: Date | null
  waiting_binds_at: Date | null
  used: Buffer[]
  device_first_seen_at: Date | null
}

/**
 * The present protections of the session's account, by the database's clock. A change whose wait is over counts, even
 * if no row records it yet. A browser without an id counts as first seen when its session began.
 */
export async function readProtection(db: Database, session: Session): Promise<Protection> {
  const { rows } = await sql<ProtectionRow>`
    select lode.now() as now, member.account,
           own.chosen_at, own.changed_at, own.locked_until, own.reset_asked_at, own.reset_ends_at, own.reset_done_at,
           own.transfers_locked_until,
           bound.address as bound_address, bound.bound_at,
           waiting.address as waiting_address, waiting.asked_at as waiting_asked_at, waiting.binds_at as waiting_binds_at,
           array(select address from lode.output_address
                 where member_id = member.id and cancelled_at is null and binds_at <= lode.now()
                   and (signature_valid or message is null)
                 order by number desc limit ${MAX_ADDRESSES}) as used,
           case when device.of_registration then null
                else coalesce(device.first_seen_at, session.created_at, lode.now()) end as device_first_seen_at
    from lode.member as member
    left join lode.protection as own on own.member_id = member.id
    left join lode.session as session on session.id = ${session.id}
    left join lode.device as device on device.member_id = member.id and device.id_hash = session.device_hash
    cross join lateral lode.bound_output_address(member.id, lode.now()) as bound
    left join lateral lode.waiting_output_address(member.id) as waiting on true
    where member.id = ${session.memberId}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the session has no member')
  return toProtection(row)
}

function toProtection(row: ProtectionRow): Protection {
  const account = addressFromColumn(row.account)
  const address = addressFromColumn(row.bound_address)
  const own = address === account
  const resetWaits = row.reset_ends_at !== null && row.reset_ends_at > row.now
  const resetDone = row.reset_ends_at !== null && !resetWaits
  const holds = listHolds(row.now, {
    addressBoundAt: own ? null : row.bound_at,
    deviceFirstSeenAt: row.device_first_seen_at,
    passwordChangedAt: row.changed_at,
    resetEndsAt: row.reset_ends_at ?? row.reset_done_at,
    transfersLockedUntil: row.transfers_locked_until,
  })
  return {
    at: row.now.toISOString(),
    fundPassword: {
      chosen: row.chosen_at !== null || resetDone,
      // After a completed reset the count of wrong tries starts at zero.
      lockedUntil: resetDone ? null : timeIfInFuture(row.locked_until, row.now),
      reset:
        resetWaits && row.reset_asked_at && row.reset_ends_at
          ? { askedAt: row.reset_asked_at.toISOString(), endsAt: row.reset_ends_at.toISOString() }
          : null,
    },
    outputAddress: {
      address,
      own,
      boundAt: row.bound_at?.toISOString() ?? null,
      waiting:
        row.waiting_address && row.waiting_asked_at && row.waiting_binds_at
          ? {
              address: addressFromColumn(row.waiting_address),
              askedAt: row.waiting_asked_at.toISOString(),
              bindsAt: row.waiting_binds_at.toISOString(),
            }
          : null,
    },
    addressesUsed: [...new Set([...row.used.map(addressFromColumn), account])],
    transfersLockedUntil: timeIfInFuture(row.transfers_locked_until, row.now),
    holds: holds.map(toWireHold),
  }
}

const timeIfInFuture = (moment: Date | null, now: Date): string | null =>
  moment !== null && moment > now ? moment.toISOString() : null

const toWireHold = ({ reason, endsAt }: Hold) => ({ reason, endsAt: endsAt.toISOString() })

type SecurityLogRow = {
  id: bigint
  at: Date
  kind: SecurityKind
  user_agent: string | null
  address: Buffer | null
  until: Date | null
}

export async function readSecurityLog(
  db: Database,
  session: Session,
  { before, limit }: Page,
  ids: OpaqueIds,
): Promise<DataOf<'account/security-log'>> {
  const olderThan = before === undefined ? sql`` : sql`and id < ${before}`
  const { rows } = await sql<SecurityLogRow>`
    select id, at, kind, user_agent, address, until
    from lode.security_line where member_id = ${session.memberId} ${olderThan}
    order by id desc limit ${rowsToRead(limit)}`.execute(db)
  const { page, next } = cutPage(rows, limit, ({ id }) => id)
  return {
    items: page.map((row) => ({
      id: ids.encode(session.memberId, row.id),
      at: row.at.toISOString(),
      kind: row.kind,
      device: row.user_agent === null ? null : parseUserAgent(row.user_agent),
      address: row.address && addressFromColumn(row.address),
      until: row.until?.toISOString() ?? null,
    })),
    next,
  }
}
