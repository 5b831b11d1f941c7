import { type Asset, assets } from '@lode/kernel'
import { BaseError, ContractFunctionZeroDataError, erc20Abi } from 'viem'
import { type Block, type ChainNode, NodeContradiction } from '../../platform/chain/node.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { systemBalances } from '../ledger/index.ts'

/** What the vault holds on the chain. */
export type Held = Readonly<Record<Asset, bigint>>

export type Difference = { readonly asset: Asset; readonly chain: bigint; readonly books: bigint }

/** The vault does not hold what the books would say: of this run, or of an earlier one, a log was kept back. */
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
 * How the various nodes say that they do not keep the state of so old a block any more. Nothing that one says which does not
 * have it yet may match: it would be believed without the comparison.
 */
const FORGOTTEN =
  /missing trie node|\bpruned\b|\barchive\b|historical state .*(unavailable|not available)|world state unavailable|no state available/i

export const isForgotten = (error: unknown): boolean => error instanceof BaseError && FORGOTTEN.test(error.details)

/** Null where the node does not have the state of that block any more. */
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
      // A token that is not there yet is held by nobody.
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
 * What the vault holds at a block, against the books with everything up to that block in them. Asked inside the transaction
 * that posts it: a node that keeps logs back, as one does that has not indexed a block yet, is found out before it is
 * committed. Once the posted block has passed a log, nobody looks for it again.
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
