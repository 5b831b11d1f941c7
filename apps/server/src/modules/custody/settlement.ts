import type { ChainNode } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Transaction } from '../ledger/index.ts'
import type { NotPaid, PayoutMovement } from './rules.ts'
import type { BlockRef } from './state.ts'

/** What final blocks say of payouts, in the order of the chain. */
type PayoutNews = {
  readonly paid: readonly PayoutMovement[]
  readonly notPaid: readonly NotPaid[]
  readonly timeOf: (blockNumber: bigint) => Date
}

/** What is to be posted for it, and what is to be written once that is posted; all in the transaction of the posting. */
export type Settled = { readonly entries: readonly Transaction[]; finish(): Promise<void> }

/** Whoever keeps the payouts says what the chain's word about them means. */
export type Settlement = {
  /** In words, where the chain says what cannot be. */
  settle(inside: Database, chainId: number, news: PayoutNews): Promise<Settled | { readonly impossible: string }>
  /** Ends the releases of which nothing more can come, asking what the chain was at the posted block. */
  conclude(db: Database, nodes: readonly ChainNode[], posted: BlockRef): Promise<void>
}
