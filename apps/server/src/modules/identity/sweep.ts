import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { SESSION_LIFETIME_SECONDS } from './rules.ts'

const BATCH_SIZE = 1_000
/**
 * The expiry of a message is checked before its nonce is inserted. So a nonce is kept this long after the expiry: even
 * if a request is slow between the two steps, a second post of the same signature still finds the nonce.
 */
const NONCE_GRACE_SECONDS = 60 * 60

/** Removes nonces of messages that can no longer be used. Returns the number of rows. */
export const sweepNonces = (db: Database): Promise<bigint> =>
  runInBatches(async () => {
    const { numAffectedRows } = await sql`
      delete from lode.consumed_nonce where nonce in (
        select nonce from lode.consumed_nonce
        where expires_at < lode.now() - make_interval(secs => ${NONCE_GRACE_SECONDS})
        order by expires_at limit ${BATCH_SIZE})`.execute(db)
    return numAffectedRows ?? 0n
  })

/** Removes sessions past their maximum lifetime. Idle sessions are refused earlier, but stay stored until then. */
export const sweepSessions = (db: Database): Promise<bigint> =>
  runInBatches(async () => {
    const { numAffectedRows } = await sql`
      delete from lode.session where id in (
        select id from lode.session
        where created_at < lode.now() - make_interval(secs => ${SESSION_LIFETIME_SECONDS})
        order by created_at limit ${BATCH_SIZE})`.execute(db)
    return numAffectedRows ?? 0n
  })

/** Each batch commits by itself, so that a large sweep holds no locks for long. */
async function runInBatches(batch: () => Promise<bigint>): Promise<bigint> {
  let total = 0n
  for (;;) {
    const rows = await batch()
    total += rows
    if (rows < BigInt(BATCH_SIZE)) return total
  }
}
