import { ok } from '@lode/kernel'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { bytesOf } from '../platform/chain/hex-column.ts'
import type { Database } from '../platform/db/database.ts'
import { runTransaction } from '../platform/db/transaction.ts'

/** Disables a member as the database's owner, in the same steps as disable_member.sql but without a decision. */
export async function disableMember(owner: Database, account: Address): Promise<void> {
  await runTransaction(owner, async (trx) => {
    const { rows } = await sql<{ id: bigint }>`
      update lode.member set disabled_at = lode.now() where account = ${bytesOf(account)} returning id`.execute(trx)
    await sql`delete from lode.session where member_id = ${rows[0]?.id} and mode = 'full'`.execute(trx)
    return ok(null)
  })
}

export async function enableMember(owner: Database, account: Address): Promise<void> {
  await sql`update lode.member set disabled_at = null where account = ${bytesOf(account)}`.execute(owner)
}
