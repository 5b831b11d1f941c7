import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { LIFETIME_SECONDS } from './rules.ts'

const BATCH = 1_000
/**
 * A message is judged against the clock before its nonce is inserted. Its row stays for this long beyond its end, so that
 * however slow the way in between was, a second post still finds the first.
 */
const NONCE_GRACE_SECONDS = 60 * 60

/** Removes nonces of messages that nobody could use any more. Answers how many rows went. */
export const sweepNonces = (db: Database): Promise<bigint> =>
  inBatches(async () => {
    const { numAffectedRows } = await sql`
      delete from lode.consumed_nonce where nonce in (
        select nonce from lode.consumed_nonce
        where expires_at < lode.now() - make_interval(secs => ${NONCE_GRACE_SECONDS})
        order by expires_at limit ${BATCH})`.execute(db)
    return numAffectedRows ?? 0n
  })

/** Removes sessions past their longest life; one that only idled out is refused already and waits here for that. */
export const sweepSessions = (db: Database): Promise<bigint> =>
  inBatches(async () => {
    const { numAffectedRows } = await sql`
      delete from lode.session where id in (
        select id from lode.session
        where created_at < lode.now() - make_interval(secs => ${LIFETIME_SECONDS})
        order by created_at limit ${BATCH})`.execute(db)
    return numAffectedRows ?? 0n
  })

/** Each batch commits by itself, so that no sweep, however late, holds locks or grows a transaction. */
async function inBatches(batch: () => Promise<bigint>): Promise<bigint> {
  let total = 0n
  for (;;) {
    const rows = await batch()
    total += rows
    if (rows < BigInt(BATCH)) return total
  }
}
