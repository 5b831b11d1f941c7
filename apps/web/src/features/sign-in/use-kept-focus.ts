import { useEffect, useRef } from 'react'
import { focusShownMain } from '../../shared/ui/index.ts'

/**
 * The button that was pressed goes away with its state, and the focus with it, to nowhere. Whoever walks by keyboard or by
 * ear goes on from the beginning of the page instead.
 */
export function useKeptFocus(at: string): void {
  const before = useRef(at)
  useEffect(() => {
    if (before.current === at) return
    before.current = at
    if (document.activeElement === document.body) focusShownMain()
  }, [at])
}
