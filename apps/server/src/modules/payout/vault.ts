import { poolVaultAbi } from '@lode/contracts'
import type { Asset } from '@lode/kernel'
import { type Address, encodeFunctionData, erc20Abi, type Hex, keccak256, stringToHex } from 'viem'
import { askAt } from '../../platform/chain/at-block.ts'
import { idOnChain } from '../../platform/chain/id-on-chain.ts'
import type { AtBlock, ChainNode } from '../../platform/chain/node.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import { type BlockRef, isForgotten } from '../custody/index.ts'
import type { PayoutRow } from './row.ts'
import type { ByAsset } from './rules.ts'

const PAYER_ROLE = keccak256(stringToHex('PAYER'))

/** The vault's present values that the signer needs. */
export type VaultNow = {
  readonly paused: boolean
  readonly mayPay: boolean
  readonly held: ByAsset
  /** The cap of any 24 hours, what is left of it, and how much may still be burned. */
  readonly payoutCap: ByAsset
  readonly payoutRoom: ByAsset
  readonly burnRoom: bigint
  readonly releaseGas: (payouts: number) => bigint
}

export async function readVault(node: ChainNode, pool: PoolContracts, payer: Address): Promise<VaultNow> {
  const vault = { address: pool.vault, abi: poolVaultAbi } as const
  const capOf = (asset: Asset) => node.read({ ...vault, functionName: 'payoutCap', args: [pool.tokens[asset].address] })
  const [paused, mayPay, held, caps, [, burnRoom], gasOfNone, gasOfOne] = await Promise.all([
    node.read({ ...vault, functionName: 'paused' }),
    node.read({ ...vault, functionName: 'hasRole', args: [PAYER_ROLE, payer] }),
    balances(node, pool, {}),
    ofEach(capOf),
    node.read({ ...vault, functionName: 'burnCap' }),
    node.read({ ...vault, functionName: 'releaseGas', args: [0n] }),
    node.read({ ...vault, functionName: 'releaseGas', args: [1n] }),
  ])
  // Gas grows linearly with the number of payouts. That number is known only when the payouts are locked.
  const releaseGas = (payouts: number): bigint => gasOfNone + BigInt(payouts) * (gasOfOne - gasOfNone)
  const part = (place: 0 | 1): ByAsset => ({ USDT: caps.USDT[place], BTN: caps.BTN[place], BTC: caps.BTC[place] })
  return { paused, mayPay, held, payoutCap: part(0), payoutRoom: part(1), burnRoom, releaseGas }
}

/** What the vault holds at a block. Null if the node has dropped that state. */
export async function balancesAt(node: ChainNode, pool: PoolContracts, block: BlockRef): Promise<ByAsset | null> {
  try {
    return await askAt(node, block, (at) => balances(node, pool, at))
  } catch (error) {
    if (isForgotten(error)) return null
    throw error
  }
}

const balances = (node: ChainNode, pool: PoolContracts, at: AtBlock | Record<never, never>): Promise<ByAsset> =>
  ofEach((asset) =>
    node.read({
      address: pool.tokens[asset].address,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [pool.vault],
      ...at,
    }),
  )

/** Whether the vault had made a payout at a block. */
export const isReleasedAt = (node: ChainNode, vault: Address, id: string, block: BlockRef): Promise<boolean> =>
  askAt(node, block, (at) =>
    node.read({
      address: vault,
      abi: poolVaultAbi,
      functionName: 'isPayoutReleased',
      args: [idOnChain(id)],
      ...at,
    }),
  )

const ofEach = async <T>(read: (asset: Asset) => Promise<T>): Promise<{ [A in Asset]: T }> => {
  const [USDT, BTN, BTC] = await Promise.all([read('USDT'), read('BTN'), read('BTC')])
  return { USDT, BTN, BTC }
}

export const releaseCall = (payouts: readonly PayoutRow[], pool: PoolContracts): Hex =>
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

export const burnCall = (amount: bigint, burnId: Hex): Hex =>
  encodeFunctionData({ abi: poolVaultAbi, functionName: 'burn', args: [amount, burnId] })

/** The most expensive burn uses half of it. */
export const BURN_GAS = 300_000n
