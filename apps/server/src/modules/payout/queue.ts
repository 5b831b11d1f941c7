import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { type PayoutRow, readPayouts } from './payout-row.ts'

/** Why a payout is not signed now, and when the signer looks at it again. */
export type Postponement = {
  readonly id: string
  readonly lookAt: Date
  readonly heldCheck: string | null
  readonly waitsFor: 'cap' | 'float' | 'chain' | 'missing' | null
}

/** A verdict postpones a payout for at most this time, because the reason for waiting may end early. */
export const MAX_WAIT_MS = 600_000

/** How many due payouts one turn judges. More than the vault accepts at once, because many of them may be held. */
export const MAX_JUDGED = 500

const isUnsigned = sql`ended is null and release_number is null`

/**
 * A payout is due when its `look_at` has passed. If SIGNER_POLL_MS is at most a minute, the signer never sets `look_at`
 * more than 15 minutes ahead. A later value was written before the clock was set back, so the payout counts as due too.
 */
const HAS_PASSED = sql`look_at <= lode.now()`
const IS_TOO_FAR_AHEAD = sql`look_at > lode.now() + interval '15 minutes'`
const isDue = sql`${isUnsigned} and (${HAS_PASSED} or ${IS_TOO_FAR_AHEAD})`

const inOrder = sql`order by look_at, number`

/**
 * The earliest due payouts. Each of the two conditions is a range of the index on `look_at`, so that those that are
 * postponed are not read. There may be a million of them.
 */
function firstDue(limit: number): RawBuilder<unknown> {
  const first = (condition: RawBuilder<unknown>) => sql`
    (select id, look_at, number from lode.payout where ${isUnsigned} and ${condition} ${inOrder} limit ${limit})`
  return sql`
    select id from (${first(HAS_PASSED)} union all ${first(IS_TOO_FAR_AHEAD)}) due ${inOrder} limit ${limit}`
}

/** The ids of the payouts that `lockDuePayouts` would lock now. */
export async function readDueIds(db: Database, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${firstDue(limit)}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Locks the due payouts, the earliest `look_at` first. Skips a payout that its member is canceling at this moment. */
export const lockDuePayouts = (trx: Database, limit: number): Promise<PayoutRow[]> =>
  readPayouts(trx, sql`where ${isDue} and id in (${firstDue(limit)}) ${inOrder} for update skip locked`)

export const hasDuePayouts = async (db: Database): Promise<boolean> => (await readDueIds(db, 1)).length > 0

export async function writePostponements(trx: Database, postponements: readonly Postponement[]): Promise<void> {
  if (postponements.length === 0) return
  await sql`
    update lode.payout set look_at = postponed.look_at, held_check = postponed.held_check, waits_for = postponed.waits_for
    from unnest(${postponements.map(({ id }) => id)}::uuid[], ${postponements.map(({ lookAt }) => lookAt)}::timestamptz[],
                ${postponements.map(({ heldCheck }) => heldCheck)}::text[],
                ${postponements.map(({ waitsFor }) => waitsFor)}::text[]) as postponed (id, look_at, held_check, waits_for)
    where payout.id = postponed.id`.execute(trx)
}

/** Puts the payouts into a stored release. From now on its chain transaction can be mined at any moment. */
export async function putIntoRelease(trx: Database, release: bigint, ids: readonly string[]): Promise<void> {
  await sql`
    update lode.payout set release_number = ${release}, held_check = null, waits_for = null
    where id = any (${ids}::uuid[])`.execute(trx)
}

const MAX_MARKED = 1_000

/** While nothing can be signed: marks the due payouts as waiting for the chain. Their `look_at` does not change. */
export async function markWaitingForChain(db: Database): Promise<void> {
  await sql`
    update lode.payout set waits_for = 'chain' where id in (
      select id from lode.payout
      where ${isDue} and waits_for is distinct from 'chain'
      limit ${MAX_MARKED} for update skip locked)`.execute(db)
}

export async function clearWaitingForChain(db: Database): Promise<void> {
  await sql`
    update lode.payout set waits_for = null where id in (
      select id from lode.payout where ${isUnsigned} and waits_for = 'chain'
      limit ${MAX_MARKED} for update skip locked)`.execute(db)
}

/** Makes these payouts due, so that the signer judges them in its next turn even if they were postponed. */
export async function makeDueNow(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update lode.payout set look_at = lode.now()
    where id = any (${ids}::uuid[]) and ${isUnsigned} and look_at > lode.now()`.execute(db)
}

type OpenPayouts = {
  readonly byState: readonly { readonly state: string; readonly count: bigint }[]
  /**
   * The age of the oldest payout that is due, or that waits for a cap, for the float or for the chain. Payouts that
   * failed a check do not count.
   */
  readonly oldestSeconds: number
}

export async function countOpenPayouts(db: Database): Promise<OpenPayouts> {
  const { rows } = await sql<{ state: string; count: bigint; oldest: number }>`
    select case when broadcast_at is not null then 'broadcast'
                when release_number is not null then 'signed'
                when held_check is not null then 'check-failed'
                when waits_for is not null then 'queued'
                when ${isDue} then 'due'
                else 'later' end as state,
           count(*) as count,
           extract(epoch from lode.now() - min(requested_at))::float8 as oldest
    from lode.payout left join lode.release on release.number = release_number
    where ended is null group by 1`.execute(db)
  const unsigned = rows.filter(({ state }) => state === 'queued' || state === 'due')
  return { byState: rows, oldestSeconds: Math.max(0, ...unsigned.map(({ oldest }) => oldest)) }
}
