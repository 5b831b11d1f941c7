/**
 * Counts for whoever asks, and again only when so much time has passed: those who ask meanwhile, or while it is being counted, get
 * the same. What could not be counted is counted again by whoever asks next.
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
