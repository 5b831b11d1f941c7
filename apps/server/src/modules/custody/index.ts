export { lockAddresses } from './address-lock.ts'
export { isForgotten } from './balance-check.ts'
export { keyOf, termsOf } from './entries.ts'
export { createCustodyMetrics } from './metrics.ts'
export { burnedSum, incomingOf, incomingSum, postedBlock, prices } from './queries.ts'
export { isPoolsOwn, isReserved } from './reserved.ts'
export {
  coldNamedIn,
  type Movement,
  type NotPaid,
  type PaymentMovement,
  type PayoutMovement,
  readLogs,
} from './rules.ts'
export type { PaymentSettlement, Settlement } from './settlement.ts'
export { type BlockRef, readState, resumeChain, rewindChain } from './state.ts'
export { creditSuspense, sweepSuspense } from './suspense.ts'
export { startWatcher } from './watcher.ts'
