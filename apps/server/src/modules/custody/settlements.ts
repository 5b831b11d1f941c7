import type { Hex } from 'viem'
import type { ChainNode } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Transaction } from '../ledger/index.ts'
import type { BlockRef } from './chain-state.ts'
import type { PaymentMovement, PayoutMovement, UnpaidPayout } from './interpret-logs.ts'

/** The payout logs of final blocks, in chain order. */
type FinalPayoutLogs = {
  readonly paid: readonly PayoutMovement[]
  readonly notPaid: readonly UnpaidPayout[]
  readonly timeOf: (blockNumber: bigint) => Date
}

export type SettledPayouts = {
  /** The ledger transactions to post. */
  readonly payoutTransactions: readonly Transaction[]
  /** The payment that needs this transaction, although the transaction's key does not name the log of the payment. */
  paymentOf(transaction: Transaction): PayoutMovement | undefined
  /** The watcher calls it after posting, in the same transaction. */
  finish(): Promise<void>
}

/** An error text, and the payment of the vault that has no payout. */
export type ImpossiblePayout = { readonly impossible: string; readonly movement: PayoutMovement }

/** Implemented by the payout module: turns vault events about payouts into ledger transactions. */
export type PayoutSettlement = {
  /** Returns `impossible` if the chain contradicts the stored payouts. */
  settle(trx: Database, chainId: number, logs: FinalPayoutLogs): Promise<SettledPayouts | ImpossiblePayout>
  /** The number of the release that this chain transaction belongs to, or null. */
  releaseOf(trx: Database, tx: Hex): Promise<bigint | null>
  /**
   * Ends the releases that no later block can pay any more, by the chain's state at the posted block. The first node
   * is that of the turn; the others are of other origins.
   */
  conclude(db: Database, nodes: readonly ChainNode[], posted: BlockRef): Promise<void>
}

/** The payments (`Paid` events) of final blocks, in chain order. */
type FinalPayments = {
  readonly payments: readonly PaymentMovement[]
  readonly timeOf: (blockNumber: bigint) => Date
}

export type SettledPayments = {
  /**
   * The ledger transactions that settle the payment's order; undefined if the payment counts as a deposit. The list is
   * empty if the payment is read again after a rewind and settled its order before.
   */
  transactionsFor(payment: PaymentMovement): readonly Transaction[] | undefined
  /**
   * Ledger transactions of orders whose payment counts as a deposit, because the order cannot be carried out. They
   * unfreeze the part that the balance paid.
   */
  readonly furtherTransactions: readonly Transaction[]
  /** Whether this transaction may stay unposted if an account has too little money. */
  mayBeInsufficient(transaction: Transaction): boolean
  /** Called after posting. Transactions for which mayBeInsufficient() is true may be missing. */
  finish(): Promise<void>
}

/** Implemented by the orders module: finds the order of each payment and settles it. */
export type PaymentSettlement = {
  settle(trx: Database, chainId: number, finalPayments: FinalPayments): Promise<SettledPayments>
  /** Ends the orders that can no longer be paid, now that the posted block has moved. */
  conclude(db: Database): Promise<void>
}

export type Settlements = { readonly payouts: PayoutSettlement; readonly payments: PaymentSettlement }
