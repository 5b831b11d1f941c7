import { createHash } from 'node:crypto'
import { ok, type Result, refused } from '@lode/kernel'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

type Command = {
  readonly member: bigint
  /** Made by the client for one press of a button. */
  readonly key: string
  readonly name: string
  /** What is asked for, in one canonical spelling. Never a secret: a hash of it is kept for ever. */
  readonly terms: string
}

/**
 * Runs a member's command once for its key, in one transaction with all that it does, and remembers what it answered, refusals
 * included: the same key with the same terms gets the first answer for ever, with other terms `key-conflict`. What a refused
 * command had done is taken back. An exception takes back everything and is not remembered: the client may try again.
 *
 * The row is only ever inserted, at the end. Until then an advisory lock keeps others with the same key waiting.
 */
export function runOnce<T extends Json, E extends Json>(
  db: Database,
  { member, key, name, terms }: Command,
  command: (inside: Transaction<Tables>) => Promise<Result<T, E>>,
): Promise<Result<T, E | 'key-conflict'>> {
  const inputHash = createHash('sha256').update(`${name} ${terms}`).digest()
  return db.transaction().execute(async (inside) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`command ${member} ${key}`}, 0))`.execute(inside)
    const { rows } = await sql<{ input_hash: Buffer; done: boolean; answer: unknown }>`
      select input_hash, done, answer from lode.command where member = ${member} and key = ${key}`.execute(inside)
    const [before] = rows
    if (before) {
      if (!before.input_hash.equals(inputHash)) return refused('key-conflict')
      return before.done ? ok(before.answer as T) : refused(before.answer as E)
    }

    await sql`savepoint command`.execute(inside)
    const result = await command(inside)
    if (!result.ok) await sql`rollback to savepoint command`.execute(inside)
    const answer = JSON.stringify(result.ok ? result.value : result.error)
    await sql`
      insert into lode.command (member, key, name, input_hash, done, answer)
      values (${member}, ${key}, ${name}, ${inputHash}, ${result.ok}, ${answer}::jsonb)`.execute(inside)
    return result
  })
}
