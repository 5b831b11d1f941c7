import { sql } from 'kysely'
import { type Address, isAddressEqual } from 'viem'
import { bytesOf } from '../../platform/chain/column.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'

/** Whether an address is the pool's own, so that nobody can be a member with it: what comes from there is no deposit. */
export async function isReserved(db: Database, pool: PoolContracts, address: Address): Promise<boolean> {
  const contracts = [pool.vault, ...Object.values(pool.tokens).map((token) => token.address)]
  if (contracts.some((contract) => isAddressEqual(contract, address))) return true
  const { rows } = await sql`select from lode.pool_address where address = ${bytesOf(address)} limit 1`.execute(db)
  return rows.length > 0
}
