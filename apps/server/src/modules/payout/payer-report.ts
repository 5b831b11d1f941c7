import type { Database } from '../../platform/db/database.ts'
import type { PayerMetrics } from './metrics.ts'
import type { PayerAlarms } from './payer-alarms.ts'
import { countOpenPayouts, makeDueNow } from './queue.ts'

export type ReportOptions = {
  /**
   * Stores that the signer runs. Returns, as text, why a decision about payouts may be missed, so that nothing is paid;
   * or null.
   */
  readonly report: (connection: Database) => Promise<string | null>
  /** The ids of payouts for which an operator has signed a decision in the last minutes. */
  readonly listRecentlyDecided: (connection: Database) => Promise<readonly string[]>
  readonly metrics: PayerMetrics
}

const REPORT_EVERY_MS = 5_000
/** Counting reads every open payout. With a million of them it takes a second, during which nothing is paid. */
const MAX_SHARE_OF_COUNTING = 0.02

/**
 * Returns a function that, at most every five seconds, stores that the signer runs, makes payouts due that operators
 * have just decided on, and updates the alarm and the metrics. It needs no chain node. Of very many payouts, the
 * metrics are updated less often, so that counting takes at most one fiftieth of the time.
 */
export function createSignerReport(
  { report, listRecentlyDecided, metrics }: ReportOptions,
  alarms: PayerAlarms,
): (connection: Database) => Promise<void> {
  let reportedAt = Number.NEGATIVE_INFINITY
  let countAgainAt = Number.NEGATIVE_INFINITY
  return async (connection) => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return
    reportedAt = performance.now()
    alarms.setOperatorsTrouble(await report(connection))
    await makeDueNow(connection, await listRecentlyDecided(connection))
    const began = performance.now()
    if (began < countAgainAt) return
    const { byState, oldestSeconds } = await countOpenPayouts(connection).finally(() => {
      countAgainAt = began + (performance.now() - began) / MAX_SHARE_OF_COUNTING
    })
    metrics.open.reset()
    for (const { state, count } of byState) metrics.open.set({ state }, Number(count))
    metrics.oldestSeconds.set(oldestSeconds)
  }
}
