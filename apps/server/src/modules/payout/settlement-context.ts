import type { Logger } from 'pino'
import type { Address } from 'viem'
import type { Transaction } from '../ledger/index.ts'
import type { SettlementMetrics } from './metrics.ts'
import type { PayoutRow } from './payout-row.ts'

export type SettlementContext = {
  readonly vault: Address
  /** Builds the ledger transaction that returns the frozen money of a payout that will not be paid. */
  readonly buildUnfreeze: (payout: PayoutRow) => Transaction
  /** Builds the ledger transaction that set the money of a payout aside when it was requested. */
  readonly buildSetAside: (payout: PayoutRow) => Transaction
  readonly metrics: SettlementMetrics
  readonly log: Logger
}
