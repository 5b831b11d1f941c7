export { auditChain, type ChainAuditReport } from './chain-audit/audit-chain.ts'
export { payoutFindings } from './check.ts'
export {
  hashOfLines,
  type Journal,
  type JournalHigherFee,
  type JournalLine,
  type JournalPayout,
  JournalProblem,
  type JournalRelease,
  readJournal,
} from './journal.ts'
export { createPayerMetrics, createSettlementMetrics, type PayerMetrics } from './metrics.ts'
export { startPayer } from './payer.ts'
export { type PayoutRow, readPayouts, type Verdict } from './payout-row.ts'
export type { ProofChecks } from './proof.ts'
export { MAX_BATCH_SIZE } from './rules.ts'
export { createSettlement } from './settlement.ts'
export { readSignerState, signerObeysApprovals, writeSignerState } from './signer-state.ts'
