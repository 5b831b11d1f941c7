import { type Asset, assets } from '@lode/kernel'
import { BaseError, erc20Abi } from 'viem'
import type { Block, ChainNode } from '../../platform/chain/node.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { systemBalances } from '../ledger/index.ts'
import type { Movement } from './rules.ts'

export type Difference = { readonly asset: Asset; readonly chain: bigint; readonly books: bigint }

/** How the various nodes say that they do not keep the state of so old a block. */
const FORGOTTEN = /missing trie|state|prune|archive|histor|out ?of ?range/i

/**
 * What the vault holds at a block, against what the books will say when the movements up to that block are in them. A node that
 * keeps logs back, as one does that has not indexed a block yet, is found out here, before anything is posted: once the posted
 * block has passed a log, nobody would look for it again.
 *
 * Null where the node does not keep the state of that block any more: the difference then shows at the next one that it has.
 */
export async function vaultDifferences(
  db: Database,
  node: ChainNode,
  pool: PoolContracts,
  at: Block,
  movements: readonly Movement[],
): Promise<Difference[] | null> {
  const balance = await systemBalances(db)
  const held = await vaultBalances(node, pool, at)
  if (!held) return null
  return assets.flatMap((asset) => {
    const moved = movements.reduce((sum, one) => (one.asset === asset ? sum + effectOnVault(one) : sum), 0n)
    const books = moved - balance('custody:vault', asset)
    return books === held[asset] ? [] : [{ asset, chain: held[asset], books }]
  })
}

/** Null where the node does not have the state of that block. */
export async function vaultBalances(
  node: ChainNode,
  pool: PoolContracts,
  at: Block,
): Promise<Record<Asset, bigint> | null> {
  const of = (asset: Asset) =>
    node.read({
      ...{ address: pool.tokens[asset].address, abi: erc20Abi, functionName: 'balanceOf', args: [pool.vault] },
      blockNumber: at.number,
    })
  try {
    const [USDT, BTN, BTC] = await Promise.all([of('USDT'), of('BTN'), of('BTC')])
    return { USDT, BTN, BTC }
  } catch (error) {
    if (error instanceof BaseError && FORGOTTEN.test(error.details)) return null
    throw error
  }
}

function effectOnVault(movement: Movement): bigint {
  switch (movement.kind) {
    case 'deposit':
      return movement.into === 'vault' ? movement.amount : 0n
    case 'payment':
    case 'dividendFunding':
    case 'reserveFunding':
    case 'coldReturn':
      return movement.amount
    case 'coldMove':
    case 'payout':
    case 'burn':
      return -movement.amount
  }
}
