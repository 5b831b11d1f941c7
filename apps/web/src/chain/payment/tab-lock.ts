/** How long `tryRun` waits for another tab that is just finishing. */
const LOCK_TIMEOUT_MS = 1_500

export type TabLock = {
  /** Waits until no other tab holds the lock of this name, however long that takes, and then runs the work. */
  runWhenFree(name: string, work: () => Promise<void>): Promise<void>
  /** Runs the work under the lock of this name. Gives up if another tab still holds it after `LOCK_TIMEOUT_MS`. */
  tryRun<T>(
    name: string,
    work: () => Promise<T>,
  ): Promise<{ readonly did: true; readonly value: T } | { readonly did: false }>
}

/** Without the Locks API every call runs at once: only the wallets' own browsers lack it, and they have one tab. */
export function createTabLock(locks: LockManager | undefined): TabLock {
  return {
    async runWhenFree(name, work) {
      if (!locks) return work()
      await locks.request(name, work)
    },
    async tryRun(name, work) {
      if (!locks) return { did: true, value: await work() }
      const timeout = new AbortController()
      const timer = setTimeout(() => timeout.abort(), LOCK_TIMEOUT_MS)
      try {
        return await locks.request(name, { signal: timeout.signal }, async () => {
          clearTimeout(timer)
          return { did: true as const, value: await work() }
        })
      } catch (error) {
        if (timeout.signal.aborted) return { did: false }
        throw error
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
