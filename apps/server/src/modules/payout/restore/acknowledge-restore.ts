import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { ComparedState } from './store-restore.ts'

/** What the last run of `lode restored` compared; null if everything is acknowledged. */
export async function readComparedState(db: Database): Promise<ComparedState | null> {
  const { rows } = await sql<{ journal_lines: number; journal_hash: Buffer; chain_block: bigint }>`
    select journal_lines, journal_hash, chain_block from lode.restore
    where not exists (select from lode.restore_acknowledged given where given.at >= restore.at)
    order by number desc limit 1`.execute(db)
  const [row] = rows
  if (!row) return null
  return { journalLines: row.journal_lines, journalHash: row.journal_hash, chainBlock: row.chain_block }
}

/** Carries out the decision of two operators, in the transaction that stores the second signature. */
export async function acknowledgeRestore(trx: Database, decision: bigint): Promise<void> {
  await sql`select lode.acknowledge_restore(${decision})`.execute(trx)
}
