import type { Result } from '@lode/kernel'
import type { RouteName } from '@lode/wire'
import type { Hex } from 'viem'
import type { Call, Permit } from './contracts.ts'
import type { Chain, Transaction } from './reads.ts'

/** What the pool says of a payment: nothing yet, seen and not final, or in the books. */
export type Credit = 'none' | 'confirming' | 'credited' | 'no-answer'

/** What a kind of payment brings to the machine, for one payment of it. */
export type PurposeRules = {
  /** The vault takes it once, whatever is allowed: a second one fails. */
  readonly paidOnce: boolean
  /** What the pool shows otherwise once it was paid. */
  readonly shownIn: readonly RouteName[]
  /** The one call that pays, with a permit where one was signed. */
  payCall(permit: Permit | null): Call
  /** Whether a transaction is this payment, whatever its hash and fee. */
  isPayment(transaction: Transaction): boolean
  /** Which transactions made such a payment in these blocks, whatever their hash: the oldest first. */
  findPaid(chain: Chain, from: number, to: number): Promise<Result<readonly Hex[], 'no-node'>>
  /** A wallet has sent it: for whoever wants to know early. Nothing depends on it. */
  tellSent(hash: Hex): void
  creditOf(hash: Hex): Promise<Credit>
  /** It was not paid, and never will be. */
  isLapsed(): Promise<boolean>
}
