export { judgeTransfers } from './judge.ts'
export { type LoadedTransfer, loadTransfers, transferIdOf } from './load-transfers.ts'
export { countOverdue } from './overdue.ts'
export { freezePosting, unfreezePosting } from './postings.ts'
export { listTransfers, readPaidTransfers, readTransfer, type TransferReadContext } from './queries.ts'
export { readQuotas } from './quota.ts'
export { listRecentlyDecidedTransfers } from './recently-decided.ts'
export { rejectTransfer } from './reject-transfer.ts'
export { mountTransfer } from './routes.ts'
export {
  deriveTransferProgress,
  isOverdue,
  isSignerAway,
  isUnderReview,
  operatorsNeeded,
  type TransferProgress,
} from './rules.ts'
export {
  countWaitingTransfers,
  findHalfSigned,
  readWaitingTransfers,
  type WaitingCounts,
  type WaitingFilter,
  type WaitingPage,
  waitingStatuses,
} from './waiting-transfers.ts'
