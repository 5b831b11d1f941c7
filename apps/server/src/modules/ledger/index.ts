export { type AuditReport, audit } from './audit/audit.ts'
export { reportText } from './audit/report.ts'
export type { LogPhase, LogType } from './chart.ts'
export { runOnce } from './command.ts'
export { post } from './post.ts'
export {
  balances,
  type LogLine,
  type LogQuery,
  lastChanges,
  logLines,
  type MemberBalances,
  systemBalances,
} from './queries.ts'
export { sealAll } from './seal.ts'
export type { Line, Outcome, Transaction } from './transaction.ts'
