import { sql } from 'kysely'
import type { DatabaseTransaction } from '../../platform/db/database.ts'

/**
 * Puts a new member into the first open place below its inviter. It runs inside the transaction that registers the
 * member, and locks places of the tree strictly upward until that transaction ends. The caller must lock no place
 * further down afterwards, and ledger accounts only after this. The search is explained above lode.place_member.
 */
export async function placeMember(inside: DatabaseTransaction, member: bigint): Promise<void> {
  await sql`select from lode.place_member(${member})`.execute(inside)
}
