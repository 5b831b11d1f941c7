import { type Asset, assets } from '@lode/kernel'
import { type Address, BaseError, ContractFunctionZeroDataError, erc20Abi } from 'viem'
import { type Block, type ChainNode, NodeContradiction } from '../../platform/chain/node.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { readSystemBalances } from '../ledger/index.ts'

/** What the vault holds on the chain. */
export type VaultBalances = Readonly<Record<Asset, bigint>>

export type BalanceDifference = { readonly asset: Asset; readonly chain: bigint; readonly ledger: bigint }

/** The vault's balance differs from the ledger. Usually a node left out a log, in this run or in an earlier one. */
export class VaultDiffers extends NodeContradiction {
  readonly differences: readonly BalanceDifference[]

  constructor(at: bigint, node: string, differences: readonly BalanceDifference[]) {
    const texts = differences.map(
      ({ asset, chain, ledger }) => `${chain} ${asset}, but the ledger with the logs of ${node} says ${ledger}`,
    )
    super(
      `at block ${at} the vault holds ${texts.join('; ')}. If this lasts, a log was missed in an earlier block: ` +
        'run `lode chain rewind BLOCK` with a block at which vault and ledger agreed',
    )
    this.differences = differences
  }
}

/**
 * Matches the errors with which nodes refuse the state of an old block that they have pruned. It must not match the
 * error of a node that does not have the state yet, because then the blocks would be posted without the comparison.
 */
const STATE_PRUNED =
  /missing trie node|\bpruned\b|\barchive\b|historical state .*(unavailable|not available)|world state unavailable|no state available/i

export const isStatePruned = (error: unknown): boolean => error instanceof BaseError && STATE_PRUNED.test(error.details)

/** The vault's balances at a block. Null if the node no longer has that block's state. */
export const readVaultBalances = (node: ChainNode, pool: PoolContracts, at: Block): Promise<VaultBalances | null> =>
  readBalancesOf(node, pool, pool.vault, at)

/** The balances of any address at a block. Null if the node no longer has that block's state. */
export async function readBalancesOf(
  node: ChainNode,
  pool: PoolContracts,
  holder: Address,
  at: Pick<Block, 'number'>,
): Promise<VaultBalances | null> {
  const readBalance = async (asset: Asset): Promise<bigint> => {
    const { address } = pool.tokens[asset]
    try {
      return await node.read({
        address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [holder],
        blockNumber: at.number,
      })
    } catch (error) {
      // The token contract does not exist yet at this block, so the balance is zero.
      if (isEmptyAnswer(error) && !(await node.hasCode(address, at.number))) return 0n
      throw error
    }
  }
  try {
    const [USDT, BTN, BTC] = await Promise.all([readBalance('USDT'), readBalance('BTN'), readBalance('BTC')])
    return { USDT, BTN, BTC }
  } catch (error) {
    if (isStatePruned(error)) return null
    throw error
  }
}

/**
 * Compares the vault's balances at a block with the ledger, after everything up to that block was posted. It runs in
 * the posting transaction. So a node that leaves out logs, for example because it has not indexed a block yet, is found
 * before the commit. After the commit, the worker reads these blocks again only if the owner rewinds.
 */
export async function compareVaultWithLedger(trx: Database, held: VaultBalances): Promise<BalanceDifference[]> {
  const balance = await readSystemBalances(trx)
  return assets.flatMap((asset) => {
    const ledger = -balance('custody:vault', asset)
    return ledger === held[asset] ? [] : [{ asset, chain: held[asset], ledger }]
  })
}

const isEmptyAnswer = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionZeroDataError) !== null
