import { poolVaultAbi } from '@lode/contracts'
import { sql } from 'kysely'
import { type Address, type Hex, keccak256, stringToHex, zeroHash } from 'viem'
import { addressFromColumn } from '../../platform/chain/hex-column.ts'
import type { ChainNode } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'

const roleHash = (name: string): Hex => keccak256(stringToHex(name))

/** The roles that the vault checks, by their hash there. */
export const vaultRoles = {
  administrator: zeroHash,
  guardian: roleHash('GUARDIAN'),
  payer: roleHash('PAYER'),
  funder: roleHash('FUNDER'),
} as const

export type VaultRole = keyof typeof vaultRoles

export const hasVaultRole = (node: ChainNode, vault: Address, role: VaultRole, account: Address): Promise<boolean> =>
  node.read({ address: vault, abi: poolVaultAbi, functionName: 'hasRole', args: [vaultRoles[role], account] })

/** Every account that is or was a funder, as far as the pool has read the chain. */
export async function readFunders(db: Database): Promise<Address[]> {
  const { rows } = await sql<{ address: Buffer }>`
    select distinct address from lode.pool_address where role = 'funder'`.execute(db)
  return rows.map(({ address }) => addressFromColumn(address))
}

/** The vault's funder, or null if there are several or none. */
export async function findOnlyFunder(db: Database, node: ChainNode, vault: Address): Promise<Address | null> {
  const funders: Address[] = []
  for (const account of await readFunders(db))
    if (await hasVaultRole(node, vault, 'funder', account)) funders.push(account)
  const [only, ...others] = funders
  return only && others.length === 0 ? only : null
}
