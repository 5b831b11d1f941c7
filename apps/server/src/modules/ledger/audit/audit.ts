import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { auditAccounts } from './accounts.ts'
import { auditChart } from './chart.ts'
import { auditDaySums } from './day-sums.ts'
import { type Finding, Findings } from './findings.ts'
import { auditGuards } from './guards.ts'
import { auditLogLines } from './log-lines.ts'
import { auditSeals, type SealsReport } from './seals.ts'
import { auditTransactions } from './transactions.ts'

export type AuditReport = {
  readonly findings: readonly Finding[]
  readonly transactions: bigint
  readonly postings: bigint
  readonly accounts: bigint
  readonly lines: bigint
  readonly seals: SealsReport
}

export type AuditOptions = {
  /** The hash of a seal that an operator noted earlier. The chain of seals must still contain it. */
  readonly seal?: string
}

/**
 * Replays the whole ledger in one snapshot while the pool keeps running. It writes nothing. It reads window by window
 * and partition by partition, so memory does not grow with the ledger. At a billion postings, run it on a standby, so
 * that the long snapshot does not keep dead rows on the primary.
 */
export const audit = (db: Database, options: AuditOptions = {}): Promise<AuditReport> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((trx) => auditInTransaction(trx, options))

/** The same as audit(), inside a transaction of the caller. */
export async function auditInTransaction(trx: Database, { seal }: AuditOptions = {}): Promise<AuditReport> {
  await sql`set local jit = off`.execute(trx)
  const findings = new Findings()
  await auditChart(trx, findings)
  await auditGuards(trx, findings)
  const { transactions, postings } = await auditTransactions(trx, findings)
  const { accounts } = await auditAccounts(trx, findings)
  const { lines } = await auditLogLines(trx, findings)
  await auditDaySums(trx, findings)
  const seals = await auditSeals(trx, findings, seal?.toLowerCase() ?? null)
  return { findings: findings.list(), transactions, postings, accounts, lines, seals }
}
