import type { Logger } from 'pino'
import type { CustodyMetrics } from './metrics.ts'

/** How long the chain may be silent, or a log may wait for a second node, before readiness reports it. */
const PATIENCE_MS = 60_000

/** Reports the state of the watcher: to the log, to the metrics, and to the process's readiness. */
export function createAlarms(metrics: CustodyMetrics, log: Logger) {
  let stoppedFor: string | null = null
  let heardAt = performance.now()
  let failure = ''
  let waitingFor: string | null = null
  let waitingSince = 0
  let waitingTold = false

  const isLong = (since: number): boolean => performance.now() - since > PATIENCE_MS

  return {
    /** A turn was completed. */
    heard(): void {
      heardAt = performance.now()
    },

    stopped(reason: string): void {
      if (stoppedFor !== reason) log.error({ reason }, 'ALARM: nothing is credited until an operator has looked')
      stoppedFor = reason
      metrics.stopped.set(1)
    },

    running(): void {
      stoppedFor = null
      metrics.stopped.set(0)
    },

    /** Null if nothing waits. Nodes learn of a final block at different times, so only a long wait raises an alarm. */
    waiting(what: string | null): void {
      if (waitingFor !== what) {
        waitingSince = performance.now()
        waitingTold = false
      }
      if (what !== null && !waitingTold && isLong(waitingSince)) {
        waitingTold = true
        log.error({ what }, 'ALARM: the books wait until a second node confirms it')
      }
      waitingFor = what
      metrics.waiting.set(what === null ? 0 : 1)
    },

    failed(text: string): void {
      failure = text
      if (isLong(heardAt)) log.error({ failure }, 'ALARM: the chain could not be followed for a while')
    },

    /** Why incoming money is not credited, or null if all is well. */
    trouble(): string | null {
      if (stoppedFor !== null) return `stopped: ${stoppedFor}`
      if (waitingFor !== null && isLong(waitingSince)) return `waiting for a second node to confirm ${waitingFor}`
      return isLong(heardAt) ? `the chain cannot be followed: ${failure}` : null
    },
  }
}
