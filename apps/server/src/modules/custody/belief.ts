export type Belief = ReturnType<typeof createBelief>

/**
 * Decides when to believe a claim that may only be a node's mistake, for example because the node lags. A claim is
 * believed once it was heard `times` times in a row, over at least `milliseconds`.
 */
export function createBelief(
  { times, milliseconds }: { readonly times: number; readonly milliseconds: number },
  now: () => number = () => performance.now(),
) {
  let heard = { what: '', times: 0, since: 0 }
  return {
    /** Counts the claim and returns whether it is believed now. */
    hear(what: string): boolean {
      heard = heard.what === what ? { ...heard, times: heard.times + 1 } : { what, times: 1, since: now() }
      return heard.times >= times && now() - heard.since >= milliseconds
    },

    /** The claim proved wrong: counting starts again. */
    contradict(): void {
      heard = { what: '', times: 0, since: 0 }
    },
  }
}
