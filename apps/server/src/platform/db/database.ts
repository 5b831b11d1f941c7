import { Kysely, type Transaction } from 'kysely'
import pg from 'pg'
import { poolDialect } from './pool-driver.ts'

/**
 * Queries are written with the `sql` template. The query builder knows no table, so a call such as
 * `selectFrom('lode.member')` does not compile.
 */
type NoTables = Record<never, never>

export type Database = Kysely<NoTables>
export type DatabaseTransaction = Transaction<NoTables>

export type DatabaseConnection = { readonly db: Database; readonly pool: pg.Pool; close(): Promise<void> }

type Options = {
  /** Shown in pg_stat_activity. */
  name: string
  max?: number
  /** Sets no time limits, also none for an answer. For migrations and the audit. */
  noTimeouts?: boolean
  /** A query that is not answered for so long is given up. Longer than any statement of this process may take. */
  answerWithinMs?: number
  onError?: (error: Error) => void
}

/** Twice as long as PostgreSQL lets a statement run. What takes longer is a commit that waits, or a broken network. */
const ANSWER_WITHIN_MS = 10_000

const INT8 = 20

/** Returns int8 as a bigint, because a JavaScript number would round large values. */
const types = new pg.TypeOverrides()
types.setTypeParser(INT8, BigInt)

/**
 * Opens a connection pool. Every wait has a time limit, so that a stuck statement, a lock or a forgotten transaction
 * cannot block the pool. A caller that gets no connection within five seconds is refused as `unavailable`.
 *
 * Libraries use this pool as it is: pg parses values in its default way. Our own code calls `connectDatabase`.
 */
export function openPool(url: string, options: Options, more: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: options.name,
    max: options.max ?? 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // With Node's ten probes, one each second, a host that vanished is noticed after twenty seconds.
    keepAliveInitialDelayMillis: 10_000,
    // Our statements are short. On a slow machine, JIT compilation of one statement took up to three seconds. A parallel
    // plan starts processes that read the catalog anew: it made collecting five times slower among 20,000 members.
    options: `-c jit=off${options.noTimeouts ? '' : ' -c max_parallel_workers_per_gather=0'}`,
    ...more,
    ...(options.noTimeouts
      ? {}
      : { statement_timeout: 5_000, lock_timeout: 3_000, idle_in_transaction_session_timeout: 5_000 }),
  })
  // A broken connection, idle or in use, is replaced. Without a listener its error would end the process.
  const onError = options.onError ?? (() => {})
  pool.on('error', onError)
  pool.on('connect', (client) => void client.on('error', onError))
  return pool
}

export function connectDatabase(url: string, options: Options): DatabaseConnection {
  const { noTimeouts, answerWithinMs = ANSWER_WITHIN_MS } = options
  const pool = openPool(url, options, { types })
  const db = new Kysely<NoTables>({ dialect: poolDialect(pool, noTimeouts ? null : answerWithinMs) })
  return { db, pool, close: () => db.destroy() }
}
