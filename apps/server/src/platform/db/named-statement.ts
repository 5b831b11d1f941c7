import { CompiledQuery, createQueryId, type QueryResult } from 'kysely'
import type { Database } from './database.ts'
import type { NamedQuery } from './pool-driver.ts'

/**
 * Returns a function that runs a statement. PostgreSQL prepares it once for each connection, instead of parsing and
 * planning it for every call. The text must be constant, because a prepared statement stays until its connection ends.
 */
export function namedStatement<Row>(name: string, text: string) {
  const { query } = CompiledQuery.raw(text)
  return (db: Database, parameters: readonly unknown[]): Promise<QueryResult<Row>> => {
    const named: NamedQuery = { name, sql: text, parameters, query, queryId: createQueryId() }
    return db.executeQuery<Row>(named)
  }
}
