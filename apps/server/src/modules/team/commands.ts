import type { Units } from '@lode/kernel'
import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

/**
 * These run inside the transaction of whatever causes them, and lock places of the tree strictly upward until it ends: take no
 * place further down afterwards, and the ledger's accounts after these. How a place is found stands above lode.place_member.
 */

/** Puts a new member into the first open place below its sponsor. */
export async function placeMember(inside: Transaction<Tables>, member: bigint): Promise<void> {
  await sql`select from lode.place_member(${member})`.execute(inside)
}

/** Counts a member as activated, for the five above and for its sponsor. False where it was counted before. */
export async function addActivation(inside: Transaction<Tables>, member: bigint): Promise<boolean> {
  const { rows } = await sql<{ added: boolean }>`select lode.add_activation(${member}) as added`.execute(inside)
  return rows[0]?.added ?? false
}

/** Adds what a member paid for a promotion to the performance of the five above. */
export async function addPerformance(
  inside: Transaction<Tables>,
  member: bigint,
  amount: Units<'USDT'>,
): Promise<void> {
  await sql`select lode.add_performance(${member}, ${amount.toString()}::numeric)`.execute(inside)
}
