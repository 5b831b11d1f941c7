/** Waits for all starts even if one fails, so that nothing is still starting when the caller stops what was started. */
export async function waitForAll<const T extends readonly Promise<unknown>[]>(
  starts: T,
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(starts)
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
  return (await Promise.all(starts)) as { [K in keyof T]: Awaited<T[K]> }
}
