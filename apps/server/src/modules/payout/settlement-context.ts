import type { Logger } from 'pino'
import type { Address } from 'viem'
import type { Transaction } from '../ledger/index.ts'
import type { SettlementMetrics } from './metrics.ts'
import type { PayoutRow } from './row.ts'

export type SettlementContext = {
  readonly vault: Address
  /** The ledger transaction that gives back the frozen money of a payout that will not be made. */
  readonly undoing: (payout: PayoutRow) => Transaction
  readonly metrics: SettlementMetrics
  readonly log: Logger
}
