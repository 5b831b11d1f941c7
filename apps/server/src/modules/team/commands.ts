import { sql } from 'kysely'
import type { DatabaseTransaction } from '../../platform/db/database.ts'

/**
 * Puts a new member into the first open place below its sponsor. It runs inside the transaction that registers the member, and locks places
 * of the tree strictly upward until that ends: take no place further down afterwards, and the ledger's accounts after these. How a place is
 * found stands above lode.place_member.
 */
export async function placeMember(inside: DatabaseTransaction, member: bigint): Promise<void> {
  await sql`select from lode.place_member(${member})`.execute(inside)
}
