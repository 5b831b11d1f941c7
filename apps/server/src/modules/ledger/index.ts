export { audit } from './audit/audit.ts'
export { causeFindings } from './audit/causes.ts'
export { CheckpointRefused, readCheckpoint, writeCheckpoint } from './audit/checkpoint.ts'
export { type Finding, Findings } from './audit/findings.ts'
export { formatReport } from './audit/report.ts'
export { codeNamed, codeOf } from './codes.ts'
export { type Command, readStoredAnswer, runOnce } from './command.ts'
export { computeHoldings, findMissingAssets } from './holdings.ts'
export {
  airdropsSql,
  type MemberSum,
  type PeriodPart,
  type ReceivedDay,
  type ReceivedSum,
  readFirstReceivedDay,
  readMemberSums,
  readPeriodSums,
  readReceived,
  receivedDaysSql,
} from './member-sums.ts'
export { type AccountVersions, isAmongPostings, readNewPostings, readVersions } from './new-postings.ts'
export { post } from './post.ts'
export { isAirdrop, type PostedTransaction, readTransactions, readTransactionsByKey } from './posted-transactions.ts'
export {
  balancesSql,
  buildLineId,
  type LogLine,
  type LogTime,
  type MemberBalances,
  parseBalances,
  readBalances,
  readBalancesAfter,
  readBalancesAfterOperations,
  readLastChanges,
  readLogLines,
  readSystemBalance,
  readSystemBalances,
} from './queries.ts'
export { sealAll } from './seal.ts'
export { readSuspense, type SuspenseBalance } from './suspense.ts'
export { amountOf, type Transaction } from './transaction.ts'
