/**
 * Calls `count` at most once in so many milliseconds, and shares the answer among all callers, also while it is being
 * computed. After a failure the next caller computes it again.
 */
export function atMostEvery<T>(milliseconds: number, count: () => Promise<T>): () => Promise<T> {
  let counted: { readonly value: Promise<T>; readonly since: number } | null = null
  return async () => {
    if (counted === null || performance.now() - counted.since > milliseconds)
      counted = { value: count(), since: performance.now() }
    const { value } = counted
    try {
      return await value
    } catch (error) {
      if (counted?.value === value) counted = null
      throw error
    }
  }
}
