import { useEffect, useState } from 'react'
import { READ_PATIENCE_MS } from './patience.ts'

/** True once `waiting` has lasted longer than a screen may wait silently. A new `attempt` restarts the timer. */
export function useLate(waiting: boolean, attempt: number): boolean {
  const [isLate, setLate] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt starts the timer again
  useEffect(() => {
    setLate(false)
    if (!waiting) return
    const timer = setTimeout(() => setLate(true), READ_PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [waiting, attempt])
  return isLate
}
