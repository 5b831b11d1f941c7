import { type Asset, type Units, units } from '@lode/kernel'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import { readAccountNumber } from './account-number.ts'

export type SuspenseBalance<A extends Asset = Asset> = {
  readonly asset: A
  readonly amount: Units<A>
  /** The number of postings to this account so far. It is part of the key under which this balance is credited. */
  readonly version: bigint
}

/** The suspense of this address, by asset. */
export async function readSuspense(db: Database, address: Address): Promise<SuspenseBalance[]> {
  const { rows } = await sql<{ id: bigint; balance: string; version: bigint }>`
    select account.id, account.balance, account.version
    from lode.suspense_holder holder
    join lode.ledger_account account on account.id >= holder.owner << 14 and account.id < (holder.owner + 1) << 14
    where holder.address = ${bytesOf(address)} and account.balance > 0
    order by account.id`.execute(db)
  return rows.map(({ id, balance, version }) => {
    const { asset } = readAccountNumber(id)
    return { asset, amount: units(asset, BigInt(balance)), version }
  })
}
