import { type Asset, formatAmount, type Units, units } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { sql } from 'kysely'
import { type Address, type Hex, toHex } from 'viem'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { loadIncoming } from '../custody/index.ts'
import { readLogLines } from '../ledger/index.ts'

/** More reports of one member are not kept: a new one replaces the oldest. */
const MAX_REPORTS = 10
/** A transaction that no block holds after this time was replaced or dropped, or never existed. */
const SHOWN_DAYS = 3

type Holder = { readonly memberId: bigint; readonly account: Address }
type Report = { readonly asset: Asset; readonly amount: Units<Asset>; readonly tx: Hex }

/** Stores what a browser says it has sent. The first report of a transaction stays. */
export async function reportDeposit(db: Database, { memberId }: Holder, { asset, amount, tx }: Report): Promise<void> {
  await sql`
    with room as (
      delete from lode.reported_deposit
      where member_id = ${memberId} and tx in (
        select tx from lode.reported_deposit where member_id = ${memberId} and tx <> ${bytesOf(tx)}
        order by at desc, tx offset ${MAX_REPORTS - 1}))
    insert into lode.reported_deposit (member_id, tx, asset, amount)
    values (${memberId}, ${bytesOf(tx)}, ${asset}, ${amount.toString()})
    on conflict do nothing`.execute(db)
}

/** The reported deposits of one asset that the pool has not seen on the chain yet, newest first. */
export async function listUnseenReports(
  db: Database,
  holder: Holder,
  asset: Asset,
  decimals: Decimals,
): Promise<DataOf<'wallet/sent'>> {
  const { rows } = await sql<{ tx: Buffer; amount: string; at: Date }>`
    select tx, amount, at from lode.reported_deposit
    where member_id = ${holder.memberId} and asset = ${asset} and at > lode.now() - make_interval(days => ${SHOWN_DAYS})
    order by at desc, tx`.execute(db)
  const items: DataOf<'wallet/sent'>['items'][number][] = []
  for (const row of rows) {
    const tx = toHex(row.tx)
    if (await isSeen(db, holder, asset, tx)) continue
    const amount = formatAmount(units(asset, BigInt(row.amount)), decimals[asset])
    items.push({ tx, amount, at: row.at.toISOString() })
  }
  return { items }
}

async function isSeen(db: Database, { memberId, account }: Holder, asset: Asset, tx: Hex): Promise<boolean> {
  const posted = await readLogLines(db, {
    member: memberId,
    asset,
    limit: 1,
    type: 'transferIn',
    operationPrefix: `${tx}:`,
  })
  return posted.length > 0 || (await loadIncoming(db, account, asset, tx)).length > 0
}
