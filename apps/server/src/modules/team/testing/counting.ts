import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'

/** By the owner, as the settling of a promotion does it: no process may count by itself. */

/** Counts a member as activated, for the five above and for its sponsor. False where it was counted before. */
export async function addActivation(owner: Database, member: bigint): Promise<boolean> {
  const { rows } = await sql<{ added: boolean }>`select lode.add_activation(${member}) as added`.execute(owner)
  return rows[0]?.added ?? false
}

/** Adds what a member paid for a promotion to the performance of the five above. */
export async function addPerformance(owner: Database, member: bigint, amount: bigint): Promise<void> {
  await sql`select lode.add_performance(${member}, ${String(amount)}::numeric)`.execute(owner)
}
