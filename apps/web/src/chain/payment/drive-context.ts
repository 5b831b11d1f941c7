import type { Wallet } from '../discovery.ts'
import type { Permit } from './contracts.ts'
import type { PaymentRecord } from './payment-record.ts'
import type { Chain } from './reads.ts'
import type { Search } from './search.ts'

/** State that the steps of driving one payment share. */
export type DriveContext = {
  readonly record: PaymentRecord
  readonly findWallet: () => Promise<Wallet | null>
  readonly now: () => number
  readonly search: Search
  /** The permit that the wallet has signed for the next request to pay. */
  permit: Permit | null
  /** How many looks in a row got no answer from the chain. */
  blindLooks: number
  /** Ends the wait for the wallet's answer. */
  stopWaiting: () => void
}

export async function isOnChain(chain: Chain, chainId: number): Promise<boolean> {
  const current = await chain.chainId()
  return current.ok && current.value === chainId
}
