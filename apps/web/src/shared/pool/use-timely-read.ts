import type { RouteName } from '@lode/wire'
import { useEffect, useState } from 'react'
import { queryClient } from '../api/index.ts'
import { READ_TIMEOUT_MS } from './read-timeout.ts'

type Query = {
  readonly data: unknown
  readonly error: Error | null
  readonly refetch: () => Promise<unknown>
}

/**
 * Tells whether a query's answer is late, and returns a function that reads again. The query alone would wait minutes
 * before it fails. `readAgain` first cancels a request that hangs; otherwise the query would keep waiting for it.
 */
export function useTimelyRead(name: RouteName, { data, error, refetch }: Query) {
  const [attempt, setAttempt] = useState(0)
  const [lateAttempt, setLateAttempt] = useState<number | null>(null)
  const isWaiting = data === undefined && error === null
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setLateAttempt(attempt), READ_TIMEOUT_MS)
    return () => {
      clearTimeout(timer)
      setLateAttempt(null)
    }
  }, [isWaiting, attempt])
  async function readAgain(): Promise<void> {
    setAttempt(attempt + 1)
    await queryClient.cancelQueries({ queryKey: [name] })
    await refetch()
  }
  return { isLate: isWaiting && lateAttempt === attempt, readAgain }
}
