import type { Form, Release } from './releases.ts'

type Waiting = Form['hash'] | Release['number']

/**
 * Measures how long a signed version, or a release, has been waiting for a block. It uses the process's monotonic time,
 * so that setting the clock does not count as waiting.
 */
export function createWaitingTimes() {
  const since = new Map<Waiting, number>()
  return {
    /** Starts counting at the first call. */
    waitedMs(what: Waiting): number {
      const began = since.get(what) ?? performance.now()
      since.set(what, began)
      return performance.now() - began
    },

    /** Forgets everything that no longer waits. */
    keepOnly(waiting: ReadonlySet<Waiting>): void {
      for (const key of since.keys()) if (!waiting.has(key)) since.delete(key)
    },
  }
}
