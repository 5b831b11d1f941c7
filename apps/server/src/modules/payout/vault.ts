import { poolVaultAbi } from '@lode/contracts'
import { type Asset, assets } from '@lode/kernel'
import { type Address, encodeFunctionData, erc20Abi, type Hex, keccak256, stringToHex, zeroAddress } from 'viem'
import type { ChainReader } from '../../platform/chain/agreed-chain.ts'
import { idOnChain } from '../../platform/chain/id-on-chain.ts'
import type { AtBlock, ChainNode } from '../../platform/chain/node.ts'
import { readAtBlock } from '../../platform/chain/read-at-block.ts'
import { allVaultsOf, type PoolContracts } from '../../platform/config/pool-contracts.ts'
import { type BlockRef, isStatePruned } from '../custody/index.ts'
import type { PayoutRow } from './payout-row.ts'
import type { ByAsset } from './rules.ts'

export const PAYER_ROLE = keccak256(stringToHex('PAYER'))

/** What the signer needs to know about the vault as it is now. */
export type VaultState = {
  readonly paused: boolean
  readonly mayPay: boolean
  readonly balances: ByAsset
  /** The most that may be paid out in any 24 hours. */
  readonly payoutCap: ByAsset
  /** How much of `payoutCap` is left now. */
  readonly payoutRoom: ByAsset
  /** How much may still be burned. */
  readonly burnRoom: bigint
  readonly releaseGas: (payouts: number) => bigint
}

/** Whether the vault accepts releases of this account, at a block or in the latest one. */
const mayPay = (
  node: ChainReader,
  vault: Address,
  payer: Address,
  at: AtBlock | Record<never, never> = {},
): Promise<boolean> =>
  node.read({ address: vault, abi: poolVaultAbi, functionName: 'hasRole', args: [PAYER_ROLE, payer], ...at })

export async function readVault(node: ChainNode, pool: PoolContracts, payer: Address): Promise<VaultState> {
  const vault = { address: pool.vault, abi: poolVaultAbi } as const
  const capOf = (asset: Asset) => node.read({ ...vault, functionName: 'payoutCap', args: [pool.tokens[asset].address] })
  const [paused, isPayer, held, caps, [, burnRoom], gasOfNone, gasOfOne] = await Promise.all([
    node.read({ ...vault, functionName: 'paused' }),
    mayPay(node, pool.vault, payer),
    readBalances(node, pool, pool.vault, {}),
    readEachAsset(capOf),
    node.read({ ...vault, functionName: 'burnCap' }),
    node.read({ ...vault, functionName: 'releaseGas', args: [0n] }),
    node.read({ ...vault, functionName: 'releaseGas', args: [1n] }),
  ])
  // Gas grows linearly with the number of payouts, which is known only later, when the payouts are locked.
  const releaseGas = (payouts: number): bigint => gasOfNone + BigInt(payouts) * (gasOfOne - gasOfNone)
  const pickFromCaps = (index: 0 | 1): ByAsset => ({
    USDT: caps.USDT[index],
    BTN: caps.BTN[index],
    BTC: caps.BTC[index],
  })
  return {
    paused,
    mayPay: isPayer,
    balances: held,
    payoutCap: pickFromCaps(0),
    payoutRoom: pickFromCaps(1),
    burnRoom,
    releaseGas,
  }
}

/** What all vaults of the pool hold together at a block. Null if the node has dropped that state. */
export async function readBalancesAt(node: ChainReader, pool: PoolContracts, block: BlockRef): Promise<ByAsset | null> {
  const sum = { USDT: 0n, BTN: 0n, BTC: 0n }
  try {
    for (const vault of allVaultsOf(pool)) {
      const held = await readAtBlock(node, block, (at) => readBalances(node, pool, vault, at))
      for (const asset of assets) sum[asset] += held[asset]
    }
    return sum
  } catch (error) {
    if (isStatePruned(error)) return null
    throw error
  }
}

const readBalances = (
  node: ChainReader,
  pool: PoolContracts,
  vault: Address,
  at: AtBlock | Record<never, never>,
): Promise<ByAsset> =>
  readEachAsset((asset) =>
    node.read({
      address: pool.tokens[asset].address,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [vault],
      ...at,
    }),
  )

/** Whether the vault had paid this payout at a block. */
export const isReleasedAt = (node: ChainReader, vault: Address, id: string, block: BlockRef): Promise<boolean> =>
  readAtBlock(node, block, (at) =>
    node.read({
      address: vault,
      abi: poolVaultAbi,
      functionName: 'isPayoutReleased',
      args: [idOnChain(id)],
      ...at,
    }),
  )

/** Whether a vault of the pool accepts releases of this account. A vault that has moved accepts none, for ever. */
export async function mayPayFromAny(
  node: ChainReader,
  pool: VaultsOfPool,
  payer: Address,
  at: AtBlock | Record<never, never> = {},
): Promise<boolean> {
  for (const address of allVaultsOf(pool)) {
    const isMoved = address !== pool.vault && (await hasMoved(node, address, at))
    if (!isMoved && (await mayPay(node, address, payer, at))) return true
  }
  return false
}

export type VaultsOfPool = Pick<PoolContracts, 'vault' | 'formerVaults'>

/** Whether the vault has moved to another one, at a block or in the latest one. */
export const hasMoved = async (
  node: ChainReader,
  vault: Address,
  at: AtBlock | Record<never, never>,
): Promise<boolean> =>
  (await node.read({ address: vault, abi: poolVaultAbi, functionName: 'successor', ...at })) !== zeroAddress

/** Whether this account may release payouts at a block. */
export const isPayerAt = (node: ChainReader, pool: VaultsOfPool, payer: Address, block: BlockRef): Promise<boolean> =>
  readAtBlock(node, block, (at) => mayPayFromAny(node, pool, payer, at))

/** For each of these payouts, whether the vault has paid it in the node's latest block. */
export const readReleased = (node: ChainNode, vault: Address, ids: readonly string[]): Promise<boolean[]> =>
  node.readMany(
    ids.map((id) => ({
      address: vault,
      abi: poolVaultAbi,
      functionName: 'isPayoutReleased' as const,
      args: [idOnChain(id)] as const,
    })),
  )

const readEachAsset = async <T>(read: (asset: Asset) => Promise<T>): Promise<{ [A in Asset]: T }> => {
  const [USDT, BTN, BTC] = await Promise.all([read('USDT'), read('BTN'), read('BTC')])
  return { USDT, BTN, BTC }
}

export const encodeRelease = (payouts: readonly PayoutRow[], pool: PoolContracts): Hex =>
  encodeFunctionData({
    abi: poolVaultAbi,
    functionName: 'release',
    args: [
      payouts.map(({ id, asset, address, amount }) => ({
        id: idOnChain(id),
        token: pool.tokens[asset].address,
        to: address,
        amount,
      })),
    ],
  })

export const encodeBurn = (amount: bigint, burnId: Hex): Hex =>
  encodeFunctionData({ abi: poolVaultAbi, functionName: 'burn', args: [amount, burnId] })

/** The gas limit of a burn. The most expensive burn uses half of it. */
export const BURN_GAS = 300_000n
