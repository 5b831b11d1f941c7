/** As many open apps as one process serves. Beyond that the oldest are forgotten, and their next call counts again. */
const MOST = 50_000
const REMEMBERED_MS = 15 * 60_000

/**
 * The tokens whose session was alive at their last call, a short time ago. It only decides whether a call counts as one
 * of an unknown token: every call still asks the database whether the session is alive.
 */
export function createLiveTokens(now: () => number = () => performance.now()) {
  const seenAt = new Map<string, number>()
  return {
    has: (token: string): boolean => {
      const seen = seenAt.get(token)
      return seen !== undefined && now() - seen < REMEMBERED_MS
    },
    note(token: string, isAlive: boolean): void {
      // Inserted again at the end, so that the first one is always the oldest.
      seenAt.delete(token)
      if (!isAlive) return
      seenAt.set(token, now())
      const [oldest] = seenAt.keys()
      if (seenAt.size > MOST && oldest !== undefined) seenAt.delete(oldest)
    },
  }
}
