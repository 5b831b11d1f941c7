import { type Asset, assets } from '@lode/kernel'
import { BaseError, ContractFunctionZeroDataError, erc20Abi } from 'viem'
import { type Block, type ChainNode, NodeContradiction } from '../../platform/chain/node.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { systemBalances } from '../ledger/index.ts'

/** What the vault holds on the chain. */
export type Held = Readonly<Record<Asset, bigint>>

export type Difference = { readonly asset: Asset; readonly chain: bigint; readonly books: bigint }

/** The vault's balance differs from the ledger: the node left out a log, in this run or in an earlier one. */
export class VaultDiffers extends NodeContradiction {
  readonly differences: readonly Difference[]

  constructor(at: bigint, node: string, differences: readonly Difference[]) {
    const each = differences.map(({ asset, chain, books }) => `${chain} ${asset}, and by the logs of ${node} ${books}`)
    super(
      `at block ${at} the vault holds ${each.join('; ')}. Where that lasts, a log was missed in an earlier block: ` +
        '`lode chain rewind BLOCK` lets the worker read again from a block at which it was right',
    )
    this.differences = differences
  }
}

/**
 * How the various nodes say that they no longer keep the state of an old block. The pattern must not match the answer
 * of a node that does not have the state yet: the blocks would then be posted without the comparison.
 */
const FORGOTTEN =
  /missing trie node|\bpruned\b|\barchive\b|historical state .*(unavailable|not available)|world state unavailable|no state available/i

export const isForgotten = (error: unknown): boolean => error instanceof BaseError && FORGOTTEN.test(error.details)

/** The vault's balances at a block. Null if the node no longer has that block's state. */
export async function vaultBalances(node: ChainNode, pool: PoolContracts, at: Block): Promise<Held | null> {
  const of = async (asset: Asset): Promise<bigint> => {
    const { address } = pool.tokens[asset]
    try {
      return await node.read({
        address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [pool.vault],
        blockNumber: at.number,
      })
    } catch (error) {
      // The token contract does not exist yet at this block, so the balance is zero.
      if (isEmptyAnswer(error) && !(await node.hasCode(address, at.number))) return 0n
      throw error
    }
  }
  try {
    const [USDT, BTN, BTC] = await Promise.all([of('USDT'), of('BTN'), of('BTC')])
    return { USDT, BTN, BTC }
  } catch (error) {
    if (isForgotten(error)) return null
    throw error
  }
}

/**
 * Compares the vault's balances at a block with the ledger, after everything up to that block was posted. It runs
 * inside the posting transaction, so that a node which leaves out logs (for example because it has not indexed a block
 * yet) is noticed before the commit. Once the posted block has passed a log, the worker does not read that log again.
 */
export async function vaultDifferences(inside: Database, held: Held): Promise<Difference[]> {
  const balance = await systemBalances(inside)
  return assets.flatMap((asset) => {
    const books = -balance('custody:vault', asset)
    return books === held[asset] ? [] : [{ asset, chain: held[asset], books }]
  })
}

const isEmptyAnswer = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionZeroDataError) !== null
