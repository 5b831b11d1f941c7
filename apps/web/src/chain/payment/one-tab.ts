/** How long a press waits for another tab that is just finishing. */
const PATIENCE_MS = 1_500

export type OneTab = {
  /** Runs the work when no other tab holds the lock of this name. Waits as long as that takes. */
  inTurn(name: string, work: () => Promise<void>): Promise<void>
  /** Runs the work now, or not at all if another tab holds the lock of this name. */
  now<T>(
    name: string,
    work: () => Promise<T>,
  ): Promise<{ readonly did: true; readonly value: T } | { readonly did: false }>
}

/** Browsers without the Locks API are the wallets' own browsers, which have one tab. */
export function oneTab(locks: LockManager | undefined): OneTab {
  return {
    async inTurn(name, work) {
      if (!locks) return work()
      await locks.request(name, work)
    },
    async now(name, work) {
      if (!locks) return { did: true, value: await work() }
      const patience = new AbortController()
      const timer = setTimeout(() => patience.abort(), PATIENCE_MS)
      try {
        return await locks.request(name, { signal: patience.signal }, async () => {
          clearTimeout(timer)
          return { did: true as const, value: await work() }
        })
      } catch (error) {
        if (patience.signal.aborted) return { did: false }
        throw error
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
