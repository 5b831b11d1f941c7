import { assets } from '@lode/kernel'
import type { Address } from 'viem'
import { compareVaultWithLedger, readBalancesOf } from '../../custody/index.ts'
import { readSystemBalances } from '../../ledger/index.ts'
import type { ChainAudit } from './audit-context.ts'

/**
 * Compares what the vault and cold storage hold at the posted block with the ledger. Cold storage may hold more: what it
 * held before the vault named it is not the pool's. Returns false if the node no longer has the state of that block.
 */
export async function compareCustody(
  { db, node, contracts, posted, findings }: ChainAudit,
  cold: ReadonlySet<Address>,
): Promise<boolean> {
  const at = { number: posted }
  const vault = await readBalancesOf(node, contracts, contracts.vault, at)
  if (!vault) return false
  for (const { asset, chain, ledger } of await compareVaultWithLedger(db, vault))
    findings.add(
      'the vault holds another amount than the ledger says',
      `${chain} ${asset} at block ${posted}, and the ledger has ${ledger}`,
    )

  const held = await Promise.all(Array.from(cold, (address) => readBalancesOf(node, contracts, address, at)))
  const balance = await readSystemBalances(db)
  for (const asset of assets) {
    const ledger = -balance('custody:cold', asset)
    const chain = held.reduce((sum, balances) => sum + (balances?.[asset] ?? 0n), 0n)
    if (held.includes(null)) return false
    if (chain < ledger)
      findings.add(
        'cold storage holds less than the ledger says',
        `${chain} ${asset} at block ${posted}, and the ledger has ${ledger}`,
      )
  }
  return true
}
