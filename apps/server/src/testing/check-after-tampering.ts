import { sql } from 'kysely'
import type { Database } from '../platform/db/database.ts'

class RollBack extends Error {}

/**
 * Returns the findings of a check after the owner of the database has changed rows by hand, without the triggers that
 * protect the tables.
 * The change is rolled back.
 */
export async function checkAfterTampering(
  owner: Database,
  statement: string,
  check: (trx: Database) => Promise<string[]>,
): Promise<string[]> {
  let found: string[] = []
  await owner
    .transaction()
    .execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx)
      for (const table of [
        'decision_signature',
        'ledger_transaction',
        'log_line',
        'share_payment',
        'reward_claim',
        'production_day',
      ])
        await sql`alter table ${sql.table(`lode.${table}`)} disable trigger refuse_change`.execute(trx)
      const { numAffectedRows = 0n } = await sql.raw(statement).execute(trx)
      if (numAffectedRows === 0n) throw new Error(`the statement changes no row: ${statement}`)
      found = await check(trx)
      throw new RollBack()
    })
    .catch((error: unknown) => {
      if (!(error instanceof RollBack)) throw error
    })
  return found
}
