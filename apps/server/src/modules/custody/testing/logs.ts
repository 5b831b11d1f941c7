import { poolVaultAbi } from '@lode/contracts'
import type { Asset } from '@lode/kernel'
import {
  type Abi,
  type AbiEvent,
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  erc20Abi,
  type Hex,
  numberToHex,
  pad,
} from 'viem'
import type { ChainLog } from '../../../platform/chain/node.ts'
import { testContracts } from '../../../testing/contracts.ts'

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
  tokenTransferLog(testContracts.tokens[asset].address, from, to, amount)

export const vaultEventLog = (eventName: string, args: Record<string, unknown>): UnplacedLog =>
  encodeLog(testContracts.vault, poolVaultAbi, eventName, args)

/** Puts the logs into one chain transaction, in their order. */
export const placeInTransaction = (logs: readonly UnplacedLog[], { tx = 1, blockNumber = 10n } = {}): ChainLog[] =>
  logs.map((log, logIndex) => ({
    ...log,
    blockNumber,
    blockHash: pad(numberToHex(blockNumber), { size: 32 }),
    tx: pad(numberToHex(tx), { size: 32 }),
    logIndex,
  }))
