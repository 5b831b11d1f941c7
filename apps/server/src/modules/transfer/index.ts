export { transfersDecidedLately } from './decided-lately.ts'
export { judgeTransfers } from './judge.ts'
export { type KnownTransfer, readKnown } from './known.ts'
export { countOverdue } from './overdue.ts'
export { releasePosting } from './postings.ts'
export {
  listOrders as listTransfers,
  paidTransfers,
  readOrder as readTransfer,
  type Showing as ShowingTransfers,
} from './queries.ts'
export { readQuotas } from './quota.ts'
export { rejectTransfer } from './rejection.ts'
export { mountTransfer } from './routes.ts'
export { isOverdue, isSignerAway, isUnderReview, operatorsNeeded, standingOf } from './rules.ts'
