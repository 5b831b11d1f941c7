import {
  AbortedTransactionError,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type pg from 'pg'
import { AnswerMissing, DatabaseUnavailable, isReadOnly } from './database-unavailable.ts'
import { UnansweredConnections } from './unanswered-connections.ts'

/** A query that pg prepares under its name, once for each connection. Kysely passes it to the driver unchanged. */
export type NamedQuery = CompiledQuery & { readonly name: string }

const isNamed = (query: CompiledQuery): query is NamedQuery => 'name' in query

/**
 * A Kysely dialect for a pg pool. Kysely's own dialect cannot pass a statement name to pg. With null, a query may take
 * any time.
 */
export const poolDialect = (pool: pg.Pool, answerWithinMs: number | null): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new PoolDriver(pool, answerWithinMs),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
})

class PoolDriver implements Driver {
  readonly #pool: pg.Pool
  readonly #answerWithinMs: number | null
  readonly #unanswered: UnansweredConnections

  constructor(pool: pg.Pool, answerWithinMs: number | null) {
    this.#pool = pool
    this.#answerWithinMs = answerWithinMs
    this.#unanswered = new UnansweredConnections(pool.options.max / 2)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PoolConnection> {
    return new PoolConnection(await this.#pool.connect(), this.#answerWithinMs)
  }

  async beginTransaction(connection: PoolConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel, accessMode } = settings
    const readOnly = accessMode === 'read only'
    if (!readOnly && this.#unanswered.areMany()) throw new DatabaseUnavailable('too many commits wait for their answer')
    const isolation = isolationLevel ? ` isolation level ${isolationLevel}` : ''
    await connection.command(`begin${isolation}${accessMode ? ` ${accessMode}` : ''}`)
    connection.readOnly = readOnly
  }

  /** PostgreSQL answers COMMIT with ROLLBACK if an earlier statement of the transaction failed. */
  async commitTransaction(connection: PoolConnection): Promise<void> {
    const completed = await connection.command('commit')
    connection.readOnly = false
    if (completed === 'ROLLBACK') throw new AbortedTransactionError()
  }

  /** A connection that cannot roll back is closed, so that the next caller does not get its open transaction. */
  async rollbackTransaction(connection: PoolConnection): Promise<void> {
    // Then PostgreSQL ends the transaction itself, and the caller learns of the first error.
    if (connection.isDiscarded()) return
    try {
      await connection.command('rollback')
      connection.readOnly = false
    } catch (error) {
      connection.discard()
      throw error
    }
  }

  async releaseConnection(connection: PoolConnection): Promise<void> {
    connection.release(this.#unanswered)
  }

  destroy(): Promise<void> {
    this.#unanswered.close()
    return this.#pool.end()
  }
}

class PoolConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  readonly #answerWithinMs: number | null
  #discarded = false
  #lateAnswer: Promise<unknown> | undefined
  /** Whether our own code began the transaction as read only. */
  readOnly = false

  constructor(client: pg.PoolClient, answerWithinMs: number | null) {
    this.#client = client
    this.#answerWithinMs = answerWithinMs
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    this.#refuseIfDiscarded()
    const { sql: text, parameters } = query
    const values = [...parameters]
    const { command, rowCount, rows } = await this.#answerOf(
      isNamed(query) ? this.#client.query({ name: query.name, text, values }) : this.#client.query(text, values),
    )
    // Several statements in one text return an array, which has no rows of its own.
    return { rows: rows ?? [], ...(CHANGES.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) }
  }

  streamQuery(): never {
    throw new Error('this driver does not stream queries')
  }

  /** Returns the command that PostgreSQL reports as completed. */
  async command(text: string): Promise<string> {
    this.#refuseIfDiscarded()
    return (await this.#answerOf(this.#client.query(text))).command
  }

  /**
   * A connection that does not answer in time is never used again: the answer could still come, and be taken for that
   * of the next query. Whether a commit that was not answered has happened, nobody knows. So a member's command is
   * called unavailable, and tried again with the same key.
   *
   * A connection to a server that became read-only is not used again either: a new one may lead to the new primary.
   */
  async #answerOf<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await (this.#answerWithinMs === null ? answer : this.#answerInTime(answer, this.#answerWithinMs))
    } catch (error) {
      if (isReadOnly(error)) {
        if (this.readOnly) throw new Error('a transaction that was begun as read only tried to write', { cause: error })
        this.discard()
      }
      throw error
    }
  }

  async #answerInTime<Answer>(answer: Promise<Answer>, withinMs: number): Promise<Answer> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      this.discard()
      this.#lateAnswer ??= answer.catch(() => {})
      reject(new AnswerMissing(this.#lateAnswer))
    }, withinMs)
    try {
      return await Promise.race([answer, late])
    } finally {
      clearTimeout(timer)
    }
  }

  /** After a failed rollback a caller may still hold the connection, and its transaction may still be open. */
  #refuseIfDiscarded(): void {
    if (!this.#discarded) return
    throw new DatabaseUnavailable('discarded: a rollback failed, no answer came in time, or the server is read-only')
  }

  isDiscarded(): boolean {
    return this.#discarded
  }

  discard(): void {
    this.#discarded = true
  }

  release(unanswered: UnansweredConnections): void {
    if (this.#lateAnswer) unanswered.keep(this.#client, this.#lateAnswer)
    else this.#client.release(this.#discarded)
  }
}

/** The commands whose row count is the number of changed rows. */
const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])
