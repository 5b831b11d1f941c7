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
   * Tells the server that the wallet has sent the payment, so that the server can show it early. Nothing depends on
   * this call.
   */
  reportSent(hash: Hex): void
  creditOf(hash: Hex): Promise<Credit>
  /** True if the order was not paid and can no longer be paid. */
  isLapsed(): Promise<boolean>
}
