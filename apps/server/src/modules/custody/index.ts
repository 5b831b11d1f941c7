export { lockAddresses } from './address-lock.ts'
export { readAssetStops } from './asset-stop.ts'
export { compareCustodyWithLedger, isStatePruned, readCustodyBalances } from './balance-check.ts'
export { type BlockRef, type ChainState, describeWrongLedger, endAllStops, readChainState } from './chain-state.ts'
export { describeForeignChain, describeWrongContracts } from './identity-check.ts'
export {
  findPoolAddresses,
  type InterpretedLogs,
  interpretLogs,
  type Movement,
  type PaymentMovement,
  type PayoutMovement,
  type UnpaidPayout,
} from './interpret-logs.ts'
export { createCustodyMetrics } from './metrics.ts'
export { chainLogKey, chainLogTerms } from './movement-transaction.ts'
export { readPoolLogs } from './pool-logs.ts'
export { postBlocks } from './post-blocks.ts'
export { loadIncoming, loadPrices, readPostedBlock, sumBurned, sumIncoming } from './queries.ts'
export { isPoolContractOrHadRole, isReservedAddress } from './reserved-addresses.ts'
export type { ImpossiblePayout, PaymentSettlement, PayoutSettlement, Settlements } from './settlements.ts'
export { proposeEndOfStop, proposeRewind } from './stop-proposals.ts'
export { creditSuspense, noteAllSuspense, sweepSuspense } from './suspense.ts'
export { proposeMigration } from './vault-migration.ts'
export { startWatcher, type Watcher } from './watcher.ts'
export {
  isWorkerAway,
  readStops,
  readWorkerState,
  type StoredStop,
  type WorkerState,
  writeWorkerState,
} from './worker-state.ts'
export { applyWriteOffs, isBurned } from './write-offs.ts'
