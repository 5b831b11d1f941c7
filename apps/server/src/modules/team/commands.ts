import { sql } from 'kysely'
import type { DatabaseTransaction } from '../../platform/db/database.ts'

/**
 * Puts a new member into the first open place below its inviter. It runs inside the transaction that registers the
 * member, and locks places of the tree strictly upward until that transaction ends. Afterwards the caller must not lock
 * a place further down. Ledger accounts are locked only after this call. lode.place_member explains the search.
 */
export async function placeMember(trx: DatabaseTransaction, member: bigint): Promise<void> {
  await sql`select from lode.place_member(${member})`.execute(trx)
}
