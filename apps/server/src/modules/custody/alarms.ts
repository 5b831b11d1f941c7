import type { Logger } from 'pino'
import type { CustodyMetrics } from './metrics.ts'

/** After this time without a completed turn, or with a log that waits for a second node, readiness reports it. */
const ALARM_AFTER_MS = 60_000

/** Reports the state of the watcher: to the log, to the metrics, and to the process's readiness. */
export function createAlarms(metrics: CustodyMetrics, log: Logger) {
  let stopReason: string | null = null
  let lastTurnAt = performance.now()
  let failure = ''
  let waitingFor: string | null = null
  let waitingSince = 0
  let isWaitReported = false

  const hasLastedTooLong = (since: number): boolean => performance.now() - since > ALARM_AFTER_MS

  return {
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

    /** Pass null if nothing waits. Nodes finalize a block at different times, so only a long wait raises an alarm. */
    waiting(what: string | null): void {
      if (waitingFor !== what) {
        waitingSince = performance.now()
        isWaitReported = false
      }
      if (what !== null && !isWaitReported && hasLastedTooLong(waitingSince)) {
        isWaitReported = true
        log.error({ what }, 'ALARM: posting waits until a second node confirms a log')
      }
      waitingFor = what
      metrics.waiting.set(what === null ? 0 : 1)
    },

    failed(text: string): void {
      failure = text
      if (hasLastedTooLong(lastTurnAt)) log.error({ failure }, 'ALARM: the watcher has completed no turn for a minute')
    },

    /**
     * The reason why incoming money is not credited; null if there is none. Failed turns and a log that waits for a
     * second node count as a reason only after a minute.
     */
    trouble(): string | null {
      if (stopReason !== null) return `stopped: ${stopReason}`
      if (waitingFor !== null && hasLastedTooLong(waitingSince))
        return `waiting for a second node to confirm ${waitingFor}`
      return hasLastedTooLong(lastTurnAt) ? `the chain cannot be followed: ${failure}` : null
    },
  }
}
