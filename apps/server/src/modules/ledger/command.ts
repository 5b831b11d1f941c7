import { createHash } from 'node:crypto'
import { ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../platform/db/database.ts'

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export type Command = {
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
  asked: Command,
  command: (inside: DatabaseTransaction) => Promise<Result<T, E>>,
): Promise<Result<T, E | 'key-conflict'>> {
  const { member, key, name } = asked
  return db.transaction().execute(async (inside) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`command ${member} ${key}`}, 0))`.execute(inside)
    const before = await remembered<T, E>(inside, asked)
    if (before) return before

    await sql`savepoint command`.execute(inside)
    const result = await command(inside)
    if (!result.ok) await sql`rollback to savepoint command`.execute(inside)
    const answer = JSON.stringify(result.ok ? result.value : result.error)
    await sql`
      insert into lode.command (member, key, name, input_hash, done, answer)
      values (${member}, ${key}, ${name}, ${inputHash(asked)}, ${result.ok}, ${answer}::jsonb)`.execute(inside)
    return result
  })
}

/** What was answered to the key before; null where it is new. For whoever would rather not begin what has its answer. */
export async function remembered<T extends Json, E extends Json>(
  db: Database,
  asked: Command,
): Promise<Result<T, E | 'key-conflict'> | null> {
  const { rows } = await sql<{ input_hash: Buffer; done: boolean; answer: unknown }>`
    select input_hash, done, answer from lode.command where member = ${asked.member} and key = ${asked.key}`.execute(db)
  const [before] = rows
  if (!before) return null
  if (!before.input_hash.equals(inputHash(asked))) return refused('key-conflict')
  return before.done ? ok(before.answer as T) : refused(before.answer as E)
}

const inputHash = ({ name, terms }: Command): Buffer => createHash('sha256').update(`${name} ${terms}`).digest()
