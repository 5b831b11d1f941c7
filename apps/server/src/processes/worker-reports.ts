import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { Gauge, type Registry } from 'prom-client'
import type { Address } from 'viem'
import { type Watcher, writeWorkerState } from '../modules/custody/index.ts'
import type { Operators } from '../modules/operators/index.ts'
import type { Plans } from '../modules/plan/index.ts'
import { readNextDay } from '../modules/pledge/index.ts'
import { countWaitingTransfers } from '../modules/transfer/index.ts'
import { readVaultPause } from '../modules/vault/index.ts'
import { readClock } from '../platform/clock/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'

type ReportOptions = {
  readonly db: Database
  readonly metrics: Pick<Metrics, 'registry' | 'jobFailing'>
  readonly plans: Plans
  readonly operators: Operators
  readonly vault: Address
  readonly watcher: Pick<Watcher, 'report'>
  readonly trouble: () => string | null
  readonly log: Logger
}

const REPORT_EVERY_MS = 5_000
/** Reviews last hours, so counting them once a minute is enough. */
const REPORTS_PER_COUNT = 12

/**
 * Stores every five seconds that the worker runs and what is wrong, for the other processes and the command line. Once
 * a minute it also measures what operators must not overlook: waiting reviews, a late close, the age of the audit, and a pause of the
 * vault.
 */
export function startWorkerReports(options: ReportOptions): { stop(): Promise<void> } {
  const { db, metrics, watcher, trouble, log } = options
  const stopping = new AbortController()
  const measure = createMeasurements(options)
  const run = async (): Promise<void> => {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
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

function createMeasurements({ db, metrics, plans, operators, vault }: ReportOptions): () => Promise<void> {
  const { reviews, oldestReview, closeLate, auditAge, vaultPaused } = createGauges(metrics.registry)
  // A new gauge is 0, as if the audit had just run.
  auditAge.remove()
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
    const { rows } = await sql<{ at: Date | null }>`select max(at) as at from lode.audit_run`.execute(db)
    const auditedAt = rows[0]?.at
    if (auditedAt) auditAge.set(secondsSince(auditedAt))
  }
}

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
  vaultPaused: new Gauge({
    name: 'lode_vault_paused',
    help: '1 while a guardian has paused the vault, as the final blocks tell that were read',
    registers: [registry],
  }),
})
