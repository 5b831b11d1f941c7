import { useEffect, useRef } from 'react'

const MAX_DIFFERENCE_MS = 5_000

/**
 * Calls back if this device's clock was set to another time. It compares the clock with the time since the page was
 * loaded, which no setting changes. That time may stand still while the device sleeps, so a long sleep calls back too.
 *
 * @param now changes with every comparison
 */
export function useClockChange(now: number, onChange: () => void): void {
  const known = useRef<number>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: compares at every tick, and not when the callback changes
  useEffect(() => {
    const loadedAt = Date.now() - performance.now()
    const isChanged = known.current !== null && Math.abs(loadedAt - known.current) > MAX_DIFFERENCE_MS
    if (known.current === null || isChanged) known.current = loadedAt
    if (isChanged) onChange()
  }, [now])
}
