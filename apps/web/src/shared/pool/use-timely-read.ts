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
 * Whether the answer of a route is late, and a function that reads again. A query alone would wait minutes before it
 * fails. Reading again cancels a request that hangs; otherwise a query without data would keep waiting for it.
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
