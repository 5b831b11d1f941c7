import type { Hex } from 'viem'
import type { Wallet } from '../discovery.ts'
import type { ChainNodes } from './chain-nodes.ts'
import type { ChainReader } from './chain-reader.ts'
import type { Permit } from './contracts.ts'
import type { PaymentRecord } from './payment-record.ts'

/** Shared by all functions that drive one payment. */
export type DriverContext = {
  readonly record: PaymentRecord
  readonly findWallet: () => Promise<Wallet | null>
  readonly now: () => number
  readonly nodes: ChainNodes
  /** Deposits that the pool has seen and that are in blocks before this payment. They are not looked up again. */
  readonly tooEarly: Set<Hex>
  /** The permit that the wallet has signed for the next request to pay. */
  permit: Permit | null
  /** How many reads of the chain failed in a row. */
  failedReads: number
  /** Ends the wait for the wallet's answer. */
  stopWaiting: () => void
}

export async function hasChainId(chain: ChainReader, chainId: number): Promise<boolean> {
  const current = await chain.chainId()
  return current.ok && current.value === chainId
}
