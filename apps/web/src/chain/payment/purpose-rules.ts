import type { Result } from '@lode/kernel'
import type { RouteName } from '@lode/wire'
import type { Hex } from 'viem'
import type { Call, Permit } from './contracts.ts'
import type { Chain, Transaction } from './reads.ts'

/** The pool's answer about a payment: nothing yet, seen and not final, or credited in the ledger. */
export type Credit = 'none' | 'confirming' | 'credited' | 'no-answer'

/** The rules of one kind of payment, which the payment machine calls. */
export type PurposeRules = {
  /** The vault accepts this payment once, whatever the allowance: a second one fails. */
  readonly paidOnce: boolean
  /** Routes whose answers change when this was paid. The app reads them again. */
  readonly shownIn: readonly RouteName[]
  /** The call that pays, with a permit if one was signed. */
  payCall(permit: Permit | null): Call
  /** Whether a transaction makes this payment, whatever its hash and fee. */
  isPayment(transaction: Transaction): boolean
  /** The transactions in these blocks that made this payment, oldest first. Finds them without their hashes. */
  findPaid(chain: Chain, from: number, to: number): Promise<Result<readonly Hex[], 'no-node'>>
  /**
   * Tells the server that a wallet has sent the payment, so that it can show it early. Nothing depends on this call.
   */
  tellSent(hash: Hex): void
  creditOf(hash: Hex): Promise<Credit>
  /** True if the order was not paid and can no longer be paid. */
  isLapsed(): Promise<boolean>
}
