import { sql } from 'kysely'
import { type Address, isAddressEqual } from 'viem'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import { allVaultsOf, firstVaultOf, type PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { createUnpinnedOperators } from '../operators/index.ts'

/**
 * Whether an address belongs to the pool or is a listed address, so that no member can register it. Otherwise the
 * pool's own money could count as a member's deposit, and a treasury payment could go to a member.
 */
export async function isReservedAddress(db: Database, pool: PoolContracts, address: Address): Promise<boolean> {
  if (await isPoolContractOrHadRole(db, pool, address, ['cold', 'funder'])) return true
  return isListedAddress(db, pool, address)
}

/** Whether two operators listed the address. If their decisions cannot be verified, the stored row is enough. */
async function isListedAddress(db: Database, pool: PoolContracts, address: Address): Promise<boolean> {
  const { rows } = await sql<{ id: bigint; subject: string }>`
    select decision.id, decision.subject
    from lode.treasury_address as listing join lode.decision on decision.id = listing.decision_id
    where listing.address = ${bytesOf(address)}
      and decision.subject = 'treasury-address:0x' || encode(listing.address, 'hex')`.execute(db)
  const [listing] = rows
  if (!listing) return false
  const operators = await createUnpinnedOperators(db, firstVaultOf(pool))
  const decisions = (await operators.readVerified(db, [listing.subject])).get(listing.subject) ?? []
  if ((await operators.findDoubts(db, [listing.subject])).size > 0) return true
  return decisions.some(
    ({ id, body, signers: { length } }) =>
      length >= 2 && body.verb === 'list' && isAddressEqual(body.address, address) && rows.some((row) => row.id === id),
  )
}

/** Whether the address is a contract of the pool, or had one of these roles in the vault. */
export async function isPoolContractOrHadRole(
  db: Database,
  pool: PoolContracts,
  address: Address,
  roles: readonly ('cold' | 'funder')[],
): Promise<boolean> {
  const contracts = [...allVaultsOf(pool), ...Object.values(pool.tokens).map((token) => token.address)]
  if (contracts.some((contract) => isAddressEqual(contract, address))) return true
  const { rows } = await sql`
    select from lode.pool_address where address = ${bytesOf(address)} and role = any(${roles}) limit 1`.execute(db)
  return rows.length > 0
}
