import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { type PayoutRow, readPayouts } from './row.ts'

/** What the signer found about a payout that is not signed now. */
export type Standing = {
  readonly id: string
  readonly lookAt: Date
  readonly heldCheck: string | null
  readonly waitsFor: 'cap' | 'float' | null
}

/** No payout is postponed for longer at a time, because the reason for waiting may end early. */
export const LONGEST_WAIT_MS = 600_000

/**
 * A payout is due when its `look_at` has passed. No wait is longer than 15 minutes: a later `look_at` was written
 * before the clock was set back, and is ignored.
 */
const isDue = sql`
  ended is null and release_number is null
  and (look_at <= lode.now() or look_at > lode.now() + interval '15 minutes')`

/** Locks the due payouts, the longest waiting first. A member who cancels one at this moment waits, or was first. */
export const lockDue = (inside: Database, most: number): Promise<PayoutRow[]> =>
  readPayouts(
    inside,
    sql`where ${isDue}
        order by look_at, number limit ${most} for update skip locked`,
  )

export async function anyDue(db: Database): Promise<boolean> {
  const { rows } = await sql`select from lode.payout where ${isDue} limit 1`.execute(db)
  return rows.length > 0
}

export async function writeStandings(inside: Database, standings: readonly Standing[]): Promise<void> {
  if (standings.length === 0) return
  await sql`
    update lode.payout set look_at = told.look_at, held_check = told.held_check, waits_for = told.waits_for
    from unnest(${standings.map(({ id }) => id)}::uuid[], ${standings.map(({ lookAt }) => lookAt)}::timestamptz[],
                ${standings.map(({ heldCheck }) => heldCheck)}::text[],
                ${standings.map(({ waitsFor }) => waitsFor)}::text[]) as told (id, look_at, held_check, waits_for)
    where payout.id = told.id`.execute(inside)
}

/** From here on these payouts are in a transaction that may be on the chain at any moment. */
export async function putIntoRelease(inside: Database, release: bigint, ids: readonly string[]): Promise<void> {
  await sql`
    update lode.payout set release_number = ${release}, held_check = null, waits_for = null
    where id = any (${ids}::uuid[])`.execute(inside)
}

const MOST_TOLD = 1_000

/** While nothing can be signed, every payout that is due shows that it waits for the chain. Its `look_at` stays. */
export async function tellWaitingForChain(db: Database): Promise<void> {
  await sql`
    update lode.payout set waits_for = 'chain' where id in (
      select id from lode.payout
      where ${isDue} and waits_for is distinct from 'chain'
      limit ${MOST_TOLD} for update skip locked)`.execute(db)
}

export async function tellChainIsBack(db: Database): Promise<void> {
  await sql`
    update lode.payout set waits_for = null where id in (
      select id from lode.payout where ended is null and release_number is null and waits_for = 'chain'
      limit ${MOST_TOLD} for update skip locked)`.execute(db)
}

/** The signer looks at these payouts in its next turn, even if they were postponed. */
export async function lookAtNow(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update lode.payout set look_at = lode.now()
    where id = any (${ids}::uuid[]) and ended is null and release_number is null and look_at > lode.now()`.execute(db)
}

type Open = {
  readonly byState: readonly { readonly state: string; readonly count: bigint }[]
  /** Age of the oldest payout that is due or has no room. */
  readonly oldestSeconds: number
}

export async function countOpen(db: Database): Promise<Open> {
  const { rows } = await sql<{ state: string; count: bigint; oldest: number }>`
    select case when broadcast_at is not null then 'broadcast'
                when release_number is not null then 'signed'
                when held_check is not null then 'checked'
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
