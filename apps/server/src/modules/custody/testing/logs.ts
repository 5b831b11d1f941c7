import { poolVaultAbi } from '@lode/contracts'
import type { Asset } from '@lode/kernel'
import {
  type Abi,
  type AbiEvent,
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  erc20Abi,
  getAddress,
  type Hex,
  numberToHex,
  pad,
} from 'viem'
import type { ChainLog } from '../../../platform/chain/node.ts'
import type { PoolContracts } from '../../../platform/config/pool-contracts.ts'

/** A short address that is easy to recognize. */
export const address = (number: number): Address => getAddress(pad(numberToHex(number), { size: 20 }))

export const pool: PoolContracts = {
  vault: address(0xa0),
  formerVaults: [],
  firstBlock: 1n,
  tokens: {
    USDT: { address: address(0xa1), decimals: 6 },
    BTN: { address: address(0xa2), decimals: 18 },
    BTC: { address: address(0xa3), decimals: 8 },
  },
  priceFeeds: { BTC: address(0xa4), BTN: address(0xa5) },
}

/** A log without a block or a transaction. */
type UnplacedLog = Pick<ChainLog, 'address' | 'topics' | 'data'>

function encodeLog(contract: Address, abi: Abi, eventName: string, args: Record<string, unknown>): UnplacedLog {
  const topics = encodeEventTopics({ abi, eventName, args } as Parameters<typeof encodeEventTopics>[0])
  const event = abi.find((item): item is AbiEvent => item.type === 'event' && item.name === eventName)
  const inputs = event?.inputs.filter(({ indexed }) => !indexed) ?? []
  const data = encodeAbiParameters(
    inputs,
    inputs.map(({ name }) => args[name ?? '']),
  )
  return { address: contract.toLowerCase() as Hex, topics: topics.flat().map((topic) => topic ?? '0x'), data }
}

export const tokenTransferLog = (token: Address, from: Address, to: Address, value: bigint): UnplacedLog =>
  encodeLog(token, erc20Abi, 'Transfer', { from, to, value })

export const transferLog = (asset: Asset, from: Address, to: Address, amount: bigint): UnplacedLog =>
  tokenTransferLog(pool.tokens[asset].address, from, to, amount)

export const vaultEventLog = (eventName: string, args: Record<string, unknown>): UnplacedLog =>
  encodeLog(pool.vault, poolVaultAbi, eventName, args)

/** Puts the logs into one chain transaction, in their order. */
export const placeInTransaction = (logs: readonly UnplacedLog[], { tx = 1, blockNumber = 10n } = {}): ChainLog[] =>
  logs.map((log, logIndex) => ({
    ...log,
    blockNumber,
    blockHash: pad(numberToHex(blockNumber), { size: 32 }),
    tx: pad(numberToHex(tx), { size: 32 }),
    logIndex,
  }))
