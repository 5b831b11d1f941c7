import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'

const LOCK = sql`hashtextextended('lode signer', 0)`

/** A host that vanishes says no goodbye: after a minute without a sign of it PostgreSQL gives the lock back. */
const NOTICED_WHEN_GONE = sql`
  select set_config('tcp_keepalives_idle', '30', false), set_config('tcp_keepalives_interval', '10', false),
         set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '60000', false)`

/**
 * Runs while nobody else does, or answers `taken` at once. The lock belongs to one connection, and that is the one which
 * everything of this turn goes through: whoever has lost the lock has lost the connection, and can store nothing any more.
 */
export function alone(db: Database, during: (connection: Database) => Promise<void>): Promise<'done' | 'taken'> {
  return db.connection().execute(async (connection) => {
    await NOTICED_WHEN_GONE.execute(connection)
    const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${LOCK}) as locked`.execute(connection)
    if (!rows[0]?.locked) return 'taken'
    try {
      await during(connection)
      return 'done'
    } finally {
      // A connection that broke has given the lock back by itself.
      await sql`select pg_advisory_unlock(${LOCK})`.execute(connection).catch(() => {})
    }
  })
}
