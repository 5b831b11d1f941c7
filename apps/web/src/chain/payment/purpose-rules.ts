import type { Result } from '@lode/kernel'
import type { RouteName } from '@lode/wire'
import type { Hex } from 'viem'
import type { ChainReader, Transaction } from './chain-reader.ts'
import type { Call, Permit } from './contracts.ts'

/**
 * The pool's answer about a transaction. `confirming`: seen and not final. `credited`: final and in the ledger.
 * `no-answer`: the pool could not be asked, or did not answer.
 */
export type Credit = 'none' | 'confirming' | 'credited' | 'no-answer'

/** What the pool's server knows about a payment. */
export type PoolAnswer = {
  /** About the transaction that it was asked for. */
  readonly credit: Credit
  /** True if a credited payment of an order went to the member's balance, because the order had failed. */
  readonly toBalance: boolean
  /** Transactions that the pool has seen on the chain and that can be this payment. */
  readonly seen: readonly Hex[]
  /** True if the order was not paid and can no longer be paid. */
  readonly lapsed: boolean
}

export const NO_POOL_ANSWER: PoolAnswer = { credit: 'no-answer', toBalance: false, seen: [], lapsed: false }

/** The rules of one kind of payment: a deposit or an order. */
export type PurposeRules = {
  /** True if the vault refuses to take this payment a second time, even if the allowance would cover it. */
  readonly canBePaidOnlyOnce: boolean
  /** Routes whose answers change when the payment arrives. The app then reads them again. */
  readonly changedRoutes: readonly RouteName[]
  /** The call that pays, with a permit if one was signed. */
  payCall(permit: Permit | null): Call
  /** Whether a transaction makes this payment, whatever its hash and fee. */
  isPayment(transaction: Transaction): boolean
  /** The transactions in these blocks that made this payment, oldest first. Finds them without their hashes. */
  findPayments(chain: ChainReader, from: number, to: number): Promise<Result<readonly Hex[], 'no-node'>>
  /**
   * Tells the server that the wallet has sent the payment, so that it and other devices know of it early. False if it
   * must be told again. No money depends on this call.
   */
  reportSent(hash: Hex): Promise<boolean>
  /** Asks the pool's server about a transaction, or, if none is known, for the transactions that can be this payment. */
  askPool(hash: Hex | undefined): Promise<PoolAnswer>
}
