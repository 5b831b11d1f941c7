import { type Asset, assets } from '@lode/kernel'
import { type Address, BaseError, ContractFunctionZeroDataError, erc20Abi } from 'viem'
import type { ChainReader } from '../../platform/chain/agreed-chain.ts'
import { type Block, NodeContradiction, NoSecondNode } from '../../platform/chain/node.ts'
import { allVaultsOf, formatCoins, type PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { readSystemBalances } from '../ledger/index.ts'

type Balances = Readonly<Record<Asset, bigint>>

/** What all vaults hold together on the chain, what the former ones still hold of it, and all cold addresses together. */
export type CustodyBalances = { readonly vault: Balances; readonly former: Balances; readonly cold: Balances }

export type BalanceDifference = {
  readonly place: 'vault' | 'cold'
  readonly asset: Asset
  readonly chain: bigint
  readonly ledger: bigint
}

/** Custody differs from the ledger. Usually a node left out a log, in this run or in an earlier one. */
export class CustodyDiffers extends NodeContradiction {
  readonly differences: readonly BalanceDifference[]

  constructor(pool: PoolContracts, at: bigint, node: string, differences: readonly BalanceDifference[]) {
    const texts = differences.map(
      ({ place, asset, chain, ledger }) =>
        `${place === 'vault' ? 'the vault' : 'cold storage'} holds ${formatCoins(pool, asset, chain)}, but the ledger with the logs of ${node} says ${formatCoins(pool, asset, ledger)}`,
    )
    super(
      `at block ${at} ${texts.join('; ')}. If this lasts, a log was missed in an earlier block: ` +
        'run `lode chain rewind BLOCK` with a block at which custody and ledger agreed. Or the balance changed without ' +
        'a log: see `lode correct list`',
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

export const isStatePruned = (error: unknown): boolean =>
  error instanceof NoSecondNode
    ? isStatePruned(error.cause)
    : error instanceof BaseError && STATE_PRUNED.test(error.details)

/** What the vaults and cold storage hold at a block. Null if the node no longer has that block's state. */
export async function readCustodyBalances(
  node: ChainReader,
  pool: PoolContracts,
  cold: ReadonlySet<Address>,
  at: Pick<Block, 'number'>,
): Promise<CustodyBalances | null> {
  const present = await readBalancesOf(node, pool, pool.vault, at)
  const former = await sumBalancesOf(node, pool, pool.formerVaults, at)
  const inCold = await sumBalancesOf(node, pool, cold, at)
  return present && former && inCold && { vault: addBalances(present, former), former, cold: inCold }
}

/** What all vaults of the pool hold together at a block. Null if the node no longer has that block's state. */
export const readVaultBalances = (
  node: ChainReader,
  pool: PoolContracts,
  at: Pick<Block, 'number'>,
): Promise<Balances | null> => sumBalancesOf(node, pool, allVaultsOf(pool), at)

async function sumBalancesOf(
  node: ChainReader,
  pool: PoolContracts,
  holders: Iterable<Address>,
  at: Pick<Block, 'number'>,
): Promise<Balances | null> {
  let sum: Balances = { USDT: 0n, BTN: 0n, BTC: 0n }
  for (const address of holders) {
    const held = await readBalancesOf(node, pool, address, at)
    if (!held) return null
    sum = addBalances(sum, held)
  }
  return sum
}

const addBalances = (one: Balances, other: Balances): Balances => ({
  USDT: one.USDT + other.USDT,
  BTN: one.BTN + other.BTN,
  BTC: one.BTC + other.BTC,
})

/** The balances of any address at a block. Null if the node no longer has that block's state. */
export async function readBalancesOf(
  node: ChainReader,
  pool: PoolContracts,
  holder: Address,
  at: Pick<Block, 'number'>,
): Promise<Balances | null> {
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
 * Compares custody at a block with the ledger, after everything up to that block was posted. It runs in the posting
 * transaction. So a node that leaves out logs, for example because it has not indexed a block yet, is found before the
 * commit. After the commit, the worker reads these blocks again only if the owner rewinds.
 *
 * The vaults must hold exactly what the ledger says. Cold storage may hold more: what an address held before the vault
 * named it is not the pool's.
 */
export async function compareCustodyWithLedger(trx: Database, held: CustodyBalances): Promise<BalanceDifference[]> {
  const balance = await readSystemBalances(trx)
  return assets.flatMap((asset) => {
    const [vault, cold] = [-balance('custody:vault', asset), -balance('custody:cold', asset)]
    const differences: BalanceDifference[] = []
    if (held.vault[asset] !== vault)
      differences.push({ place: 'vault', asset, chain: held.vault[asset], ledger: vault })
    if (held.cold[asset] < cold) differences.push({ place: 'cold', asset, chain: held.cold[asset], ledger: cold })
    return differences
  })
}

const isEmptyAnswer = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionZeroDataError) !== null
