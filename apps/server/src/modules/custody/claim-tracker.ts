export type ClaimTracker = ReturnType<typeof createClaimTracker>

/**
 * Decides when a claim of the nodes counts as true. At first it may be a node's mistake, for example because the node
 * lags. It counts as true once it was recorded `times` times in a row, over at least `milliseconds`.
 */
export function createClaimTracker(
  { times, milliseconds }: { readonly times: number; readonly milliseconds: number },
  now: () => number = () => performance.now(),
) {
  let recorded = { claim: '', times: 0, since: 0 }
  return {
    /** Counts the claim. Returns true once it counts as true. */
    record(claim: string): boolean {
      const isRepeated = recorded.claim === claim
      recorded = isRepeated ? { ...recorded, times: recorded.times + 1 } : { claim, times: 1, since: now() }
      return recorded.times >= times && now() - recorded.since >= milliseconds
    },

    /** Call it when the claim proved wrong. Counting starts again. */
    reset(): void {
      recorded = { claim: '', times: 0, since: 0 }
    },
  }
}
