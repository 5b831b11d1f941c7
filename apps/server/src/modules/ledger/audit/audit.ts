import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { auditAccounts } from './accounts.ts'
import { auditChart } from './chart.ts'
import { type Finding, Findings } from './findings.ts'
import { auditGuards } from './guards.ts'
import { auditLines } from './lines.ts'
import { auditSeals, type SealsFound } from './seals.ts'
import { auditTransactions } from './transactions.ts'

export type AuditReport = {
  readonly findings: readonly Finding[]
  readonly transactions: bigint
  readonly postings: bigint
  readonly accounts: bigint
  readonly lines: bigint
  readonly seals: SealsFound
}

export type AuditOptions = {
  /** The hash of a seal that an operator noted earlier. The chain of seals must still contain it. */
  readonly seal?: string
}

/**
 * Replays the whole ledger in one snapshot while the pool keeps running. It reads window by window and partition by
 * partition, so memory does not grow with the ledger. It only reads. At a billion postings run it on a standby, so that
 * the long snapshot does not keep dead rows on the primary.
 */
export const audit = (db: Database, options: AuditOptions = {}): Promise<AuditReport> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((inside) => auditInside(inside, options))

/** The same, inside a transaction that is already open. */
export async function auditInside(inside: Database, { seal }: AuditOptions = {}): Promise<AuditReport> {
  await sql`set local jit = off`.execute(inside)
  const findings = new Findings()
  await auditChart(inside, findings)
  await auditGuards(inside, findings)
  const { transactions, postings } = await auditTransactions(inside, findings)
  const { accounts } = await auditAccounts(inside, findings)
  const { lines } = await auditLines(inside, findings)
  const seals = await auditSeals(inside, findings, seal?.toLowerCase() ?? null)
  return { findings: findings.list(), transactions, postings, accounts, lines, seals }
}
