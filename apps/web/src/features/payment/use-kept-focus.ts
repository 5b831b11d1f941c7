import { type RefObject, useEffect, useRef } from 'react'

/** A pressed button disappears with its stage, and the focus would be lost. The dialog gets the focus instead. */
export function useKeptFocus(inside: RefObject<HTMLElement | null>, at: string): void {
  const before = useRef(at)
  useEffect(() => {
    if (before.current === at) return
    before.current = at
    const dialog = inside.current?.closest<HTMLElement>('[role=dialog]')
    if (dialog && !dialog.contains(document.activeElement)) dialog.focus({ preventScroll: true })
  }, [inside, at])
}
