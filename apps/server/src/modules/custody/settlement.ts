import type { ChainNode } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Transaction } from '../ledger/index.ts'
import type { NotPaid, PaymentMovement, PayoutMovement } from './rules.ts'
import type { BlockRef } from './state.ts'

/** The payout logs of final blocks, in chain order. */
type PayoutNews = {
  readonly paid: readonly PayoutMovement[]
  readonly notPaid: readonly NotPaid[]
  readonly timeOf: (blockNumber: bigint) => Date
}

/** The ledger transactions to post, and `finish`, which runs after posting. Both are in the posting transaction. */
export type Settled = { readonly entries: readonly Transaction[]; finish(): Promise<void> }

/** Implemented by the payout module: turns vault events about payouts into ledger transactions. */
export type Settlement = {
  /** Returns `impossible`, in words, if the chain contradicts the stored payouts. */
  settle(inside: Database, chainId: number, news: PayoutNews): Promise<Settled | { readonly impossible: string }>
  /** Ends the releases that can have no further result, according to the chain's state at the posted block. */
  conclude(db: Database, nodes: readonly ChainNode[], posted: BlockRef): Promise<void>
}

/** The payments with a quote in final blocks, in chain order. */
type PaymentNews = {
  readonly payments: readonly PaymentMovement[]
  readonly timeOf: (blockNumber: bigint) => Date
}

export type SettledPayments = {
  /** The ledger transactions for a payment; undefined if it is a deposit of its payer. */
  insteadOf(payment: PaymentMovement): readonly Transaction[] | undefined
  /** Further ledger transactions to post, which belong to no payment. */
  readonly besides: readonly Transaction[]
  /** Whether this transaction may stay unposted because an account has too little. */
  mayLack(transaction: Transaction): boolean
  /** Called after posting. Transactions for which mayLack() is true may be missing. */
  finish(isPosted: (transaction: Transaction) => boolean): Promise<void>
}

/** Implemented by the orders module: finds the order of each payment and settles it. */
export type PaymentSettlement = {
  settle(inside: Database, chainId: number, news: PaymentNews): Promise<SettledPayments>
  /** Ends the orders that can no longer be paid, now that the posted block has moved. */
  conclude(db: Database): Promise<void>
}

export type Settlements = { readonly payouts: Settlement; readonly payments: PaymentSettlement }
