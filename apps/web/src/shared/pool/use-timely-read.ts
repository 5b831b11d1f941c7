import type { RouteName } from '@lode/wire'
import { useState } from 'react'
import { queryClient } from '../api/index.ts'
import { useLate } from './use-late.ts'

type Query = {
  readonly data: unknown
  readonly error: Error | null
  readonly refetch: () => Promise<unknown>
}

/**
 * Whether the answer of a route is late, and how to ask for it again. A query alone would wait for minutes before it fails.
 * Asking again ends a request that hangs: a query without data would otherwise go on waiting for it.
 */
export function useTimelyRead(name: RouteName, { data, error, refetch }: Query) {
  const [attempt, setAttempt] = useState(0)
  const isLate = useLate(data === undefined && error === null, attempt)
  async function readAgain(): Promise<void> {
    setAttempt(attempt + 1)
    await queryClient.cancelQueries({ queryKey: [name] })
    await refetch()
  }
  return { isLate, readAgain }
}
