import { type RefObject, useEffect, useRef } from 'react'

/** A pressed button disappears with its stage, and the focus would be lost. The dialog gets the focus instead. */
export function useDialogFocus(content: RefObject<HTMLElement | null>, stage: string): void {
  const before = useRef(stage)
  useEffect(() => {
    if (before.current === stage) return
    before.current = stage
    const dialog = content.current?.closest<HTMLElement>('[role=dialog]')
    if (dialog && !dialog.contains(document.activeElement)) dialog.focus({ preventScroll: true })
  }, [content, stage])
}
