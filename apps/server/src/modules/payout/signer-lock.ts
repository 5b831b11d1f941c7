import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'

const SIGNER_LOCK = sql`hashtextextended('lode signer', 0)`

/** If the host disappears, TCP keepalives release the lock after about a minute. */
const SET_KEEPALIVES = sql`
  select set_config('tcp_keepalives_idle', '30', false), set_config('tcp_keepalives_interval', '10', false),
         set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '60000', false)`

/**
 * Takes the signer lock and runs `work`, or returns `taken` at once if another signer holds the lock. The lock
 * belongs to one database connection. The whole turn uses that connection, so a signer that has lost the lock cannot
 * store anything.
 */
export function withSignerLock(db: Database, work: (connection: Database) => Promise<void>): Promise<'done' | 'taken'> {
  return db.connection().execute(async (connection) => {
    await SET_KEEPALIVES.execute(connection)
    const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${SIGNER_LOCK}) as locked`.execute(
      connection,
    )
    if (!rows[0]?.locked) return 'taken'
    try {
      await work(connection)
      return 'done'
    } finally {
      // If the connection broke, PostgreSQL has released the lock already.
      await sql`select pg_advisory_unlock(${SIGNER_LOCK})`.execute(connection).catch(() => {})
    }
  })
}
