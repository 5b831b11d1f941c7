import { useEffect, useRef } from 'react'
import { focusShownMain } from '../../shared/ui/index.ts'

/**
 * A pressed button disappears with its state, and the focus would be lost. For members with a keyboard or a screen
 * reader, the focus moves to the start of the page.
 */
export function usePageFocus(stateName: string): void {
  const before = useRef(stateName)
  useEffect(() => {
    if (before.current === stateName) return
    before.current = stateName
    if (document.activeElement === document.body) focusShownMain()
  }, [stateName])
}
