import type { ChainNode } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Transaction } from '../ledger/index.ts'
import type { NotPaid, PaymentMovement, PayoutMovement } from './rules.ts'
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

/** What final blocks say of payments with a quote, in the order of the chain. */
type PaymentNews = {
  readonly payments: readonly PaymentMovement[]
  readonly timeOf: (blockNumber: bigint) => Date
}

export type SettledPayments = {
  /** What is to be posted for a payment; undefined where it is its payer's deposit. */
  insteadOf(payment: PaymentMovement): readonly Transaction[] | undefined
  /** What is to be posted beside all that. */
  readonly besides: readonly Transaction[]
  /** Whether it is no trouble if there is not enough for this one. */
  mayLack(transaction: Transaction): boolean
  /** Once all is posted, except perhaps such. */
  finish(isPosted: (transaction: Transaction) => boolean): Promise<void>
}

/** Whoever keeps the orders says what a payment is for. */
export type PaymentSettlement = {
  settle(inside: Database, chainId: number, news: PaymentNews): Promise<SettledPayments>
  /** Ends the orders that cannot be paid any more, now that the posted block has moved. */
  conclude(db: Database): Promise<void>
}

export type Settlements = { readonly payouts: Settlement; readonly payments: PaymentSettlement }
