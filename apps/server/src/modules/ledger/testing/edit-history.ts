import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'

/** What the audit reports after disableProtection(), besides the edit. */
export const TRIGGER_FINDING = 'a trigger is missing, disabled or differs from its file'

/** Disables the triggers and constraints that protect stored rows, as a superuser could. */
export const disableProtection = async (db: Database) => {
  for (const table of ['ledger_transaction', 'posting', 'log_line', 'log_closing', 'ledger_seal'])
    await sql`alter table ${sql.id('lode', table)} disable trigger user`.execute(db)
  await sql`alter table lode.suspense_holder alter column owner drop identity`.execute(db)
  const { rows } = await sql<{ relation: string; name: string }>`
    select conrelid::regclass::text as relation, conname as name from pg_constraint
    where connamespace = 'lode'::regnamespace and contype = 'c' and conrelid::regclass::text ~ '^lode\\.(ledger_|suspense_)'`.execute(
    db,
  )
  for (const { relation, name } of rows)
    await sql`alter table ${sql.raw(relation)} drop constraint ${sql.id(name)}`.execute(db)
}

class Rollback extends Error {}
/** Runs an attempt on the ledger and rolls it back. */
export async function runAndRollBack<T>(owner: Database, attempt: (trx: Database) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined
  await owner
    .transaction()
    .execute(async (trx) => {
      result = { value: await attempt(trx) }
      throw new Rollback()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Rollback)) throw error
    })
  if (!result) throw new Error('nothing was tried')
  return result.value
}
