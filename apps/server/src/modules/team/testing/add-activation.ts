import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'

/** These run as the owner, like the settlement of a promotion, because no process may call the functions directly. */

/** Counts a member as activated, for the five above and for its inviter. False if it was counted before. */
export async function addActivation(owner: Database, member: bigint): Promise<boolean> {
  const { rows } = await sql<{ added: boolean }>`select lode.add_activation(${member}) as added`.execute(owner)
  return rows[0]?.added ?? false
}

/** Adds the price that a member paid for a promotion to the performance of the five above. */
export async function addPerformance(owner: Database, member: bigint, amount: bigint): Promise<void> {
  await sql`select lode.add_performance(${member}, ${String(amount)}::numeric)`.execute(owner)
}
