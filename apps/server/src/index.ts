/** What the development stack and the tests of other packages may use; everything else of the server is its own. */
export { type PaymentMovement, postBlocks, type Settlements, sweepSuspense } from './modules/custody/index.ts'
export { audit, post, sealAll, type Transaction } from './modules/ledger/index.ts'
export { createOperators } from './modules/operators/index.ts'
export { createPaymentSettlement } from './modules/orders/index.ts'
export {
  countOpenPayouts,
  createPayerMetrics,
  createReleaseSigner,
  MAX_BATCH_SIZE,
  MAX_JUDGED,
  readDueIds,
  type SigningInputs,
} from './modules/payout/index.ts'
export { createPlans } from './modules/plan/index.ts'
export { closeDays, collectProduction, returnPledges } from './modules/pledge/index.ts'
export { readPoolHealth } from './modules/pool/index.ts'
export { createPromotionSettlement } from './modules/promotion/index.ts'
export { teamFindings } from './modules/team/index.ts'
export { judgeTransfers } from './modules/transfer/index.ts'
export type { ChainConfig } from './platform/config/config.ts'
export { decimalsOf } from './platform/config/pool-contracts.ts'
export { connectDatabase } from './platform/db/database.ts'
export { createLogger } from './platform/telemetry/logger.ts'
export { createMetrics } from './platform/telemetry/metrics.ts'
export { migrate } from './processes/migrate.ts'
export { testContracts } from './testing/contracts.ts'
