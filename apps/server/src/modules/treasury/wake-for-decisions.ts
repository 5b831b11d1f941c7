import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'

/** Wakes the worker to carry out decisions, as soon as this transaction is committed. */
export async function wakeForDecisions(trx: Database): Promise<void> {
  await sql`select lode.wake_for_decisions()`.execute(trx)
}
