import type { Asset } from '@lode/kernel'
import type { Logger } from 'pino'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Transaction } from '../ledger/index.ts'
import type { SettlementMetrics } from './metrics.ts'
import type { PayoutRow } from './payout-row.ts'

export type SettlementContext = {
  readonly contracts: PoolContracts
  /** Builds the ledger transaction that returns the frozen money of a payout that will not be paid. */
  readonly buildUnfreeze: (payout: PayoutRow) => Transaction
  /** Builds the ledger transaction that set the money of a payout aside when it was requested. */
  readonly buildSetAside: (payout: PayoutRow) => Transaction
  /**
   * Pays into the member's balance everything that the member can collect in this asset, in the given transaction.
   * Returns the amount. Only used after a restore.
   */
  readonly collectRewards: (trx: Database, member: bigint, asset: Asset) => Promise<bigint>
  readonly metrics: SettlementMetrics
  readonly log: Logger
}
