/** How often a visible view reads again: often while something is confirming, rarely otherwise. */
export const refreshInterval = (somethingConfirming: boolean): number => (somethingConfirming ? 5_000 : 30_000)
