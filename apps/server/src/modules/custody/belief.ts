export type Belief = ReturnType<typeof createBelief>

/**
 * Waits before a claim is believed that may only be a node's mistake, for example because it answers from a machine
 * that lags. A claim is believed once it was heard `times` times in a row and over at least `milliseconds`.
 */
export function createBelief(
  { times, milliseconds }: { readonly times: number; readonly milliseconds: number },
  now: () => number = () => performance.now(),
) {
  let heard = { what: '', times: 0, since: 0 }
  return {
    /** Returns whether the claim is to be believed now. */
    hear(what: string): boolean {
      heard = heard.what === what ? { ...heard, times: heard.times + 1 } : { what, times: 1, since: now() }
      return heard.times >= times && now() - heard.since >= milliseconds
    },

    /** The claim was seen to be wrong: counting starts again. */
    contradict(): void {
      heard = { what: '', times: 0, since: 0 }
    },
  }
}
