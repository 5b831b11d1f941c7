import { setTimeout as sleep } from 'node:timers/promises'
import { formatAmount, units } from '@lode/kernel'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { Gauge, type Registry } from 'prom-client'
import type { Address } from 'viem'
import { type Watcher, writeWorkerState } from '../modules/custody/index.ts'
import { computeHoldings, readSystemBalances } from '../modules/ledger/index.ts'
import type { Operators } from '../modules/operators/index.ts'
import type { Plans } from '../modules/plan/index.ts'
import { readNextDay } from '../modules/pledge/index.ts'
import { countWaitingTransfers } from '../modules/transfer/index.ts'
import { readVaultPause } from '../modules/vault/index.ts'
import { readClock } from '../platform/clock/clock.ts'
import type { Decimals } from '../platform/config/pool-contracts.ts'
import type { Database } from '../platform/db/database.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'

type ReportOptions = {
  readonly db: Database
  readonly metrics: Pick<Metrics, 'registry' | 'jobFailing'>
  readonly plans: Plans
  readonly operators: Operators
  readonly vault: Address
  readonly decimals: Decimals
  readonly watcher: Pick<Watcher, 'report' | 'trouble'>
  readonly trouble: () => string | null
  readonly log: Logger
}

const REPORT_EVERY_MS = 5_000
/** Reviews last hours, so counting them once a minute is enough. */
const REPORTS_PER_COUNT = 12

/**
 * Stores every five seconds that the worker runs and what is wrong, for the other processes and the command line. Once
 * a minute it also measures what operators must not overlook: waiting reviews, a late close, the last audit, a pause of
 * the vault, what is held and owed, and whether the database's log reaches the backup.
 */
export function startWorkerReports(options: ReportOptions): { stop(): Promise<void> } {
  const { db, metrics, watcher, trouble, log } = options
  const stopping = new AbortController()
  const gauges = createGauges(metrics.registry)
  const measure = createMeasurements(options, gauges)
  const run = async (): Promise<void> => {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      gauges.creditsStopped.set(watcher.trouble() === null ? 0 : 1)
      try {
        const { values } = await metrics.jobFailing.get()
        const failingJobs = values.flatMap(({ value, labels }) => (value === 1 ? [String(labels.task)] : []))
        await writeWorkerState(db, { ...watcher.report(), trouble: trouble(), failingJobs })
        if (turn % REPORTS_PER_COUNT === 0) await measure()
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'the worker could not report its state')
      }
      await sleep(REPORT_EVERY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

function createMeasurements(
  { db, plans, operators, vault, decimals }: ReportOptions,
  { reviews, oldestReview, closeLate, vaultPaused, holdings, archiveFailing, ...audit }: Gauges,
): () => Promise<void> {
  // A new gauge is 0, as if the audit had just run.
  audit.auditAge.remove()
  return async () => {
    const now = await readClock(db)
    const secondsSince = (time: Date): number => Math.max(0, (now.getTime() - time.getTime()) / 1000)
    const {
      review,
      overdue,
      'half-signed': halfSigned,
      oldestReviewAt,
    } = await countWaitingTransfers(db, { plans, operators })
    reviews.set({ state: 'all' }, review)
    reviews.set({ state: 'overdue' }, overdue)
    reviews.set({ state: 'half-signed' }, halfSigned)
    oldestReview.set(oldestReviewAt ? secondsSince(oldestReviewAt) : 0)
    const next = await readNextDay(db, { plans, operators })
    closeLate.set(next ? secondsSince(next.closesAt) : 0)
    vaultPaused.set((await readVaultPause(db, vault)) ? 1 : 0)
    for (const { symbol, ...kinds } of computeHoldings(await readSystemBalances(db)))
      for (const [kind, amount] of Object.entries(kinds))
        holdings.set({ asset: symbol, kind }, Number(formatAmount(units(symbol, amount), decimals[symbol])))
    const { rows } = await sql<{ at: Date; findings: number }>`
      select at, findings from lode.audit_run order by id desc limit 1`.execute(db)
    const [lastAudit] = rows
    if (lastAudit) audit.auditAge.set(secondsSince(lastAudit.at))
    audit.auditFindings.set(lastAudit?.findings ?? 0)
    archiveFailing.set((await isArchiveFailing(db)) ? 1 : 0)
  }
}

/** Whether PostgreSQL's last try to hand a segment of its log to the backup has failed. */
async function isArchiveFailing(db: Database): Promise<boolean> {
  const { rows } = await sql<{ failing: boolean }>`
    select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as failing
    from pg_stat_archiver`.execute(db)
  return rows[0]?.failing ?? false
}

type Gauges = ReturnType<typeof createGauges>

const createGauges = (registry: Registry) => ({
  reviews: new Gauge({
    name: 'lode_reviews_waiting',
    help: 'Transfers under review: all, overdue (72 hours or more), half-signed (another operator must sign)',
    labelNames: ['state'],
    registers: [registry],
  }),
  oldestReview: new Gauge({
    name: 'lode_review_oldest_seconds',
    help: 'Age in seconds of the oldest transfer under review; 0 if there is none',
    registers: [registry],
  }),
  closeLate: new Gauge({
    name: 'lode_day_close_late_seconds',
    help: 'For how long the next day should have been closed; 0 before its hour',
    registers: [registry],
  }),
  auditAge: new Gauge({
    name: 'lode_audit_age_seconds',
    help: 'Time since lode audit last ran to its end; absent before the first time',
    registers: [registry],
  }),
  auditFindings: new Gauge({
    name: 'lode_audit_findings',
    help: 'Errors that the last lode audit found',
    registers: [registry],
  }),
  archiveFailing: new Gauge({
    name: 'lode_database_archive_failing',
    help: "1 if the primary's last try to hand its log to the backup has failed",
    registers: [registry],
  }),
  holdings: new Gauge({
    name: 'lode_pool_holdings',
    help: 'Whole coins of the ledger by asset and kind: held in the vault, cold, owed to members, own, missing',
    labelNames: ['asset', 'kind'],
    registers: [registry],
  }),
  creditsStopped: new Gauge({
    name: 'lode_credits_stopped',
    help: '1 while incoming money is not credited, of one asset or of all; /readyz of the worker says why',
    registers: [registry],
  }),
  vaultPaused: new Gauge({
    name: 'lode_vault_paused',
    help: '1 while a guardian has paused the vault, as the final blocks tell that were read',
    registers: [registry],
  }),
})
