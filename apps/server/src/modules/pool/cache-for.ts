/**
 * Returns a function that calls `compute` at most once in `milliseconds` and shares the result among all callers, also
 * while it is being computed. After a failure the next caller computes it again.
 */
export function cacheFor<T>(milliseconds: number, compute: () => Promise<T>): () => Promise<T> {
  let cached: { readonly value: Promise<T>; readonly since: number } | null = null
  return async () => {
    if (cached === null || performance.now() - cached.since > milliseconds)
      cached = { value: compute(), since: performance.now() }
    const { value } = cached
    try {
      return await value
    } catch (error) {
      if (cached?.value === value) cached = null
      throw error
    }
  }
}
