import { type RefObject, useEffect, useRef } from 'react'

/** What was pressed goes away with its state, and the focus with it, to nowhere: then the dialog itself takes it. */
export function useKeptFocus(inside: RefObject<HTMLElement | null>, at: string): void {
  const before = useRef(at)
  useEffect(() => {
    if (before.current === at) return
    before.current = at
    const dialog = inside.current?.closest<HTMLElement>('[role=dialog]')
    if (dialog && !dialog.contains(document.activeElement)) dialog.focus({ preventScroll: true })
  }, [inside, at])
}
