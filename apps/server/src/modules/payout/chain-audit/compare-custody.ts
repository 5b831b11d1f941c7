import type { Address } from 'viem'
import { formatCoins } from '../../../platform/config/pool-contracts.ts'
import { compareCustodyWithLedger, readCustodyBalances } from '../../custody/index.ts'
import type { ChainAudit } from './audit-context.ts'

const WRONG = {
  vault: 'the vault holds another amount than the ledger says',
  cold: 'cold storage holds less than the ledger says',
} as const

/**
 * Compares what the vault and cold storage hold at the posted block with the ledger. Returns false if the node no longer
 * has the state of that block.
 */
export async function compareCustody(
  { db, node, contracts, posted, findings }: ChainAudit,
  cold: ReadonlySet<Address>,
): Promise<boolean> {
  const held = await readCustodyBalances(node, contracts, cold, { number: posted })
  if (!held) return false
  for (const { place, asset, chain, ledger } of await compareCustodyWithLedger(db, held))
    findings.add(
      WRONG[place],
      `${formatCoins(contracts, asset, chain)} at block ${posted}, and the ledger has ${formatCoins(contracts, asset, ledger)}`,
    )
  return true
}
