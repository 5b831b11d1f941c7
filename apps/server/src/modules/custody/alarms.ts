import type { Logger } from 'pino'
import type { CustodyMetrics } from './metrics.ts'

/** How long nothing may be heard, or a second node be waited for, before it is a trouble. */
const PATIENCE_MS = 60_000

/** What is told about following the chain: to the log, to whoever watches the metrics, and by the process's readiness. */
export function createAlarms(metrics: CustodyMetrics, log: Logger) {
  let stoppedFor: string | null = null
  let heardAt = performance.now()
  let failure = ''
  let waitingFor: string | null = null
  let waitingSince = 0
  let waitingTold = false

  const isLong = (since: number): boolean => performance.now() - since > PATIENCE_MS

  return {
    /** A turn was made, whatever it brought. */
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

    /** Null where nothing waits. Nodes come to know of a final block one after the other: only a long wait is an alarm. */
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

    /** Why money that comes in is not credited, or null where all is well. */
    trouble(): string | null {
      if (stoppedFor !== null) return `stopped: ${stoppedFor}`
      if (waitingFor !== null && isLong(waitingSince)) return `waiting for a second node to confirm ${waitingFor}`
      return isLong(heardAt) ? `the chain cannot be followed: ${failure}` : null
    },
  }
}
