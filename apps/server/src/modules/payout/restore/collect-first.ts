import type { Asset } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { readBalances } from '../../ledger/index.ts'
import type { SettlementContext } from '../settlement-context.ts'

type Need = { member: bigint; asset: Asset; needed: string; returned: string }

/**
 * A member may have paid for a lost transfer with rewards or dividends that it collected after the restored moment. The
 * collecting is lost too, and the money waits where it was. So the worker collects it again for each member whose
 * balance does not cover its lost transfers. It stays the member's money in any case.
 */
export async function collectFirst(
  { collectRewards, log }: SettlementContext,
  trx: Database,
  lostIds: readonly string[],
): Promise<void> {
  for (const { member, asset, needed, returned } of await readNeeds(trx, lostIds)) {
    const { available } = (await readBalances(trx, member))[asset]
    if (available + BigInt(returned) >= BigInt(needed)) continue
    const collected = await collectRewards(trx, member, asset)
    log.warn(
      { member: String(member), asset, collected: String(collected) },
      'rewards that a lost transfer may have been paid with are collected again',
    )
  }
}

/** How much the lost transfers of each member need, and how much its open transfers give back before. */
async function readNeeds(trx: Database, lostIds: readonly string[]): Promise<Need[]> {
  const { rows } = await sql<Need>`
    select member.id as member, lost.asset, sum(lost.amount + lost.fee) as needed,
           (select coalesce(sum(open.amount + open.fee), 0)
            from lode.returned_transfer join lode.payout open on open.id = returned_transfer.payout_id
            where open.member_id = member.id and open.asset = lost.asset and open.ended is null
              and open.release_number is null) as returned
    from lode.lost_payout lost join lode.member on member.account = lost.account
    where lost.id = any (${lostIds}::uuid[]) and lost.kind = 'transfer' and lost.restored_at is null
    group by member.id, lost.asset order by member.id, lost.asset`.execute(trx)
  return rows
}
