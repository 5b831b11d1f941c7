import { type Asset, assets } from '@lode/kernel'
import type { Logger } from 'pino'
import { createAnnouncementReports } from './announcement-reports.ts'
import type { CustodyMetrics } from './metrics.ts'
import { createNodeReports } from './node-reports.ts'

/** After this time without a completed turn, or without nodes of two origins that agree, readiness reports it. */
const ALARM_AFTER_MS = 60_000
/** A worker is ready only if the ledger is at most this far behind the chain. Beyond it the signer pays nothing, too. */
const MAX_BEHIND_MS = 600_000

/** Reports the state of the watcher: to the log, to the metrics, and to the process's readiness. */
export function createAlarms(metrics: CustodyMetrics, log: Logger) {
  let stopReason: string | null = null
  let assetStops: ReadonlyMap<Asset, string> = new Map()
  let lastTurnAt = performance.now()
  let failure = ''
  let waitingBecause: string | null = null
  let waitingSince = 0
  let isWaitReported = false
  let behindMs = 0

  const hasLastedTooLong = (since: number): boolean => performance.now() - since > ALARM_AFTER_MS

  return {
    ...createNodeReports(metrics, log),
    ...createAnnouncementReports(metrics, log),

    turnCompleted(): void {
      lastTurnAt = performance.now()
    },

    stopped(reason: string): void {
      if (stopReason !== reason)
        log.error({ reason }, 'ALARM: the watcher stopped: nothing is credited until an operator resumes it')
      stopReason = reason
      metrics.stopped.set(1)
    },

    running(): void {
      stopReason = null
      metrics.stopped.set(0)
    },

    assetsStopped(stops: ReadonlyMap<Asset, string>): void {
      assetStops = stops
      for (const asset of assets) metrics.assetStopped.set({ asset }, stops.has(asset) ? 1 : 0)
    },

    /**
     * The reason why nodes of two origins do not agree now, or null. Nodes learn of a block at different times, so only
     * a reason that lasts raises an alarm.
     */
    waiting(reason: string | null): void {
      // The text may change while the cause lasts: providers put times and numbers into their errors.
      if (waitingBecause === null) {
        waitingSince = performance.now()
        isWaitReported = false
      }
      if (reason !== null && !isWaitReported && hasLastedTooLong(waitingSince)) {
        isWaitReported = true
        log.error({ reason }, 'ALARM: nothing is credited until nodes of two origins agree')
      }
      waitingBecause = reason
      metrics.waiting.set(reason === null ? 0 : 1)
    },

    /** How much older the posted block is than the last block on which nodes agree. */
    behind(milliseconds: number): void {
      behindMs = milliseconds
    },

    failed(text: string): void {
      failure = text
      if (hasLastedTooLong(lastTurnAt)) log.error({ failure }, 'ALARM: the watcher has completed no turn for a minute')
    },

    /**
     * The reason why incoming money is not credited; null if there is none. Failed turns, and nodes that
     * disagree or do not answer, count as a reason only after a minute.
     */
    trouble(): string | null {
      if (stopReason !== null) return `stopped: ${stopReason}`
      const delay = findDelay()
      if (assetStops.size === 0) return delay
      const stops = Array.from(assetStops, ([asset, reason]) => `${asset}: ${reason}`)
      return `stopped: ${[...stops, ...(delay === null ? [] : [delay])].join('; ')}`
    },
  }

  /** Why nothing is credited now in any asset, also in those that are not stopped. */
  function findDelay(): string | null {
    if (waitingBecause !== null && hasLastedTooLong(waitingSince)) return waitingBecause
    if (behindMs > MAX_BEHIND_MS) return `the ledger is ${Math.round(behindMs / 60_000)} minutes behind the chain`
    return hasLastedTooLong(lastTurnAt) ? `the chain cannot be followed: ${failure}` : null
  }
}
