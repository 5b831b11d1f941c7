/** How long a press waits for another tab to let go of what it is just finishing. */
const PATIENCE_MS = 1_500

export type OneTab = {
  /** Runs the work once no other tab is at work under this name, whenever that is. */
  inTurn(name: string, work: () => Promise<void>): Promise<void>
  /** Runs the work now, or not at all where another tab is at work under this name. */
  now<T>(
    name: string,
    work: () => Promise<T>,
  ): Promise<{ readonly did: true; readonly value: T } | { readonly did: false }>
}

/** Where the browser has no locks there is one tab: that is how wallets' own browsers are. */
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
