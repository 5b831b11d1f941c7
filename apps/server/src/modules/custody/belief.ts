/**
 * For what may only look so, as where a node answers from a machine that lags: it is believed when it was heard so often in a
 * row and over so long a time.
 */
export function createBelief(
  { times, milliseconds }: { readonly times: number; readonly milliseconds: number },
  now: () => number = () => performance.now(),
) {
  let heard = { what: '', times: 0, since: 0 }
  return {
    /** Answers whether it is to be believed now. */
    hear(what: string): boolean {
      heard = heard.what === what ? { ...heard, times: heard.times + 1 } : { what, times: 1, since: now() }
      return heard.times >= times && now() - heard.since >= milliseconds
    },

    /** Somebody has seen that it is not so. */
    contradict(): void {
      heard = { what: '', times: 0, since: 0 }
    },
  }
}
