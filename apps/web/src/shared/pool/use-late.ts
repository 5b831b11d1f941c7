import { useEffect, useState } from 'react'
import { READ_PATIENCE_MS } from './patience.ts'

/** True once something has been waited for longer than a screen may wait without a word. */
export function useLate(waiting: boolean): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    setLate(false)
    if (!waiting) return
    const timer = setTimeout(() => setLate(true), READ_PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [waiting])
  return isLate
}
