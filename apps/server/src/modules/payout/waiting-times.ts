import type { Release, SignedVersion } from './releases.ts'

type WaitingKey = SignedVersion['hash'] | Release['number']

/**
 * Measures how long each signed version and each release has waited for a block. It uses the process's monotonic clock,
 * so a change of the system time does not count as waiting.
 */
export function createWaitingTimes() {
  const since = new Map<WaitingKey, number>()
  return {
    /** Returns how long this key has waited since the first call with it. */
    waitedMs(key: WaitingKey): number {
      const startedAt = since.get(key) ?? performance.now()
      since.set(key, startedAt)
      return performance.now() - startedAt
    },

    /** Forgets every key that is not in `waiting`. */
    keepOnly(waiting: ReadonlySet<WaitingKey>): void {
      for (const key of since.keys()) if (!waiting.has(key)) since.delete(key)
    },
  }
}
