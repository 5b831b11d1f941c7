import { sql } from 'kysely'
import type { Database } from '../platform/db/database.ts'

class Broken extends Error {}

/**
 * The findings after the owner of the database has changed rows by hand, without the triggers that protect the tables.
 * The change is rolled back.
 */
export async function findingsAfter(
  owner: Database,
  statement: string,
  findings: (inside: Database) => Promise<string[]>,
): Promise<string[]> {
  let found: string[] = []
  await owner
    .transaction()
    .execute(async (inside) => {
      await sql`set local session_replication_role = replica`.execute(inside)
      for (const table of ['decision_signature', 'ledger_transaction', 'share_payment'])
        await sql`alter table ${sql.table(`lode.${table}`)} disable trigger refuse_change`.execute(inside)
      const { numAffectedRows = 0n } = await sql.raw(statement).execute(inside)
      if (numAffectedRows === 0n) throw new Error(`this changes nothing: ${statement}`)
      found = await findings(inside)
      throw new Broken()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Broken)) throw error
    })
  return found
}
