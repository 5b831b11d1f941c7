import type { Database } from '../../platform/db/database.ts'
import type { PayerMetrics } from './metrics.ts'
import type { PayerAlarms } from './payer-alarms.ts'
import { countOpen, lookAtNow } from './queue.ts'

export type ReportOptions = {
  /** Writes that the signer runs. Returns in words why the operator chain stops all payouts, or null. */
  readonly report: (connection: Database) => Promise<string | null>
  /** The ids of payouts about which an operator signed a decision a short time ago. */
  readonly decidedLately: (connection: Database) => Promise<readonly string[]>
  readonly metrics: PayerMetrics
}

const REPORT_EVERY_MS = 5_000

/** Returns a function that reports the signer's state every few seconds. It works without a node. */
export function createReport(
  { report, decidedLately, metrics }: ReportOptions,
  alarms: PayerAlarms,
): (connection: Database) => Promise<void> {
  let reportedAt = Number.NEGATIVE_INFINITY
  return async (connection) => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return
    reportedAt = performance.now()
    alarms.setOperatorsTrouble(await report(connection))
    await lookAtNow(connection, await decidedLately(connection))
    const { byState, oldestSeconds } = await countOpen(connection)
    metrics.open.reset()
    for (const { state, count } of byState) metrics.open.set({ state }, Number(count))
    metrics.oldestSeconds.set(oldestSeconds)
  }
}
