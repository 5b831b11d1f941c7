import { createHash } from 'node:crypto'
import { ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../platform/db/database.ts'

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export type Command = {
  readonly member: bigint
  /** The idempotency key that the client made for one press of a button. */
  readonly key: string
  readonly name: string
  /** The request as canonical text. It must contain no secret, because its hash is stored forever. */
  readonly terms: string
}

/**
 * Runs a member's command once for its idempotency key, in one database transaction, and stores its answer, also a
 * refusal. The same key with the same terms gets the stored answer; with other terms it gets `key-conflict`. The
 * changes of a refused command are rolled back. An exception rolls back everything and stores no answer, so the client
 * may retry.
 *
 * The command row is inserted at the end and never updated. Until the commit, an advisory lock makes other calls with
 * the same key wait.
 */
export function runOnce<T extends Json, E extends Json>(
  db: Database,
  request: Command,
  command: (trx: DatabaseTransaction) => Promise<Result<T, E>>,
): Promise<Result<T, E | 'key-conflict'>> {
  const { member, key, name } = request
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`command ${member} ${key}`}, 0))`.execute(trx)
    const stored = await readStoredAnswer<T, E>(trx, request)
    if (stored) return stored

    await sql`savepoint command`.execute(trx)
    const result = await command(trx)
    if (!result.ok) await sql`rollback to savepoint command`.execute(trx)
    const answer = JSON.stringify(result.ok ? result.value : result.error)
    await sql`
      insert into lode.command (member, key, name, input_hash, done, answer)
      values (${member}, ${key}, ${name}, ${commandHash(request)}, ${result.ok}, ${answer}::jsonb)`.execute(trx)
    return result
  })
}

/** Returns the stored answer of a repeated command, so the caller can skip the work. Null if the key is new. */
export async function readStoredAnswer<T extends Json, E extends Json>(
  db: Database,
  request: Command,
): Promise<Result<T, E | 'key-conflict'> | null> {
  const { rows } = await sql<{ input_hash: Buffer; done: boolean; answer: unknown }>`
    select input_hash, done, answer from lode.command where member = ${request.member} and key = ${request.key}`.execute(
    db,
  )
  const [stored] = rows
  if (!stored) return null
  if (!stored.input_hash.equals(commandHash(request))) return refused('key-conflict')
  return stored.done ? ok(stored.answer as T) : refused(stored.answer as E)
}

const commandHash = ({ name, terms }: Command): Buffer => createHash('sha256').update(`${name} ${terms}`).digest()
