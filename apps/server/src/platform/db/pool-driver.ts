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
import { isAnswerMissing } from './database-unavailable.ts'

/** A query that pg prepares under its name, once for each connection. Kysely passes it to the driver unchanged. */
export type NamedQuery = CompiledQuery & { readonly name: string }

const isNamed = (query: CompiledQuery): query is NamedQuery => 'name' in query

/** A Kysely dialect for a pg pool. Kysely's own dialect cannot pass a statement name to pg. */
export const poolDialect = (pool: pg.Pool): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new PoolDriver(pool),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
})

class PoolDriver implements Driver {
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PoolConnection> {
    return new PoolConnection(await this.#pool.connect())
  }

  async beginTransaction(connection: PoolConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel, accessMode } = settings
    const isolation = isolationLevel ? ` isolation level ${isolationLevel}` : ''
    await connection.command(`begin${isolation}${accessMode ? ` ${accessMode}` : ''}`)
  }

  /** PostgreSQL answers COMMIT with ROLLBACK if an earlier statement of the transaction failed. */
  async commitTransaction(connection: PoolConnection): Promise<void> {
    if ((await connection.command('commit')) === 'ROLLBACK') throw new AbortedTransactionError()
  }

  /** A connection that cannot roll back is closed, so that the next caller does not get its open transaction. */
  async rollbackTransaction(connection: PoolConnection): Promise<void> {
    // Then PostgreSQL ends the transaction itself, and the caller learns of the first error.
    if (connection.isDiscarded()) return
    try {
      await connection.command('rollback')
    } catch (error) {
      connection.discard()
      throw error
    }
  }

  async releaseConnection(connection: PoolConnection): Promise<void> {
    connection.release()
  }

  destroy(): Promise<void> {
    return this.#pool.end()
  }
}

class PoolConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  #discarded = false

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    this.#refuseIfDiscarded()
    const { sql: text, parameters } = query
    const values = [...parameters]
    const { command, rowCount, rows } = await this.#discardWithoutAnswer(
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
    return (await this.#discardWithoutAnswer(this.#client.query(text))).command
  }

  /**
   * A connection that does not answer in time is never used again: the answer could still come, and be taken for that
   * of the next query. Whether a commit that was not answered has happened, nobody knows. So a member's command is
   * called unavailable, and tried again with the same key.
   */
  async #discardWithoutAnswer<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer
    } catch (error) {
      if (isAnswerMissing(error)) this.discard()
      throw error
    }
  }

  /** After a failed rollback a caller may still hold the connection, and its transaction may still be open. */
  #refuseIfDiscarded(): void {
    if (this.#discarded) throw new Error('the connection was discarded: a rollback failed, or no answer came in time')
  }

  isDiscarded(): boolean {
    return this.#discarded
  }

  discard(): void {
    this.#discarded = true
  }

  release(): void {
    this.#client.release(this.#discarded)
  }
}

/** The commands whose row count is the number of changed rows. */
const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])
