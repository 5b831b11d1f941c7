import { useEffect, useState } from 'react'

/** By then the first view is drawn and its first reads are answered, even on most slow networks. */
const DELAY_MS = 3_000

/** What the touch itself needs is asked for first. */
const AFTER_TOUCH_MS = 400

const touches = ['pointerdown', 'keydown'] as const

/**
 * True some seconds after the first paint, or soon after the first touch: what nobody needs before that may load now.
 * Not while there is no network, because most browsers remember a failed import until the page is loaded again.
 */
export function useIsLate(): boolean {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    if (isLate) return
    const end = () => {
      if (navigator.onLine) setIsLate(true)
      else window.addEventListener('online', end, { once: true })
    }
    let timer = setTimeout(end, DELAY_MS)
    const hasten = () => {
      clearTimeout(timer)
      timer = setTimeout(end, AFTER_TOUCH_MS)
    }
    for (const touch of touches) window.addEventListener(touch, hasten, { capture: true, passive: true, once: true })
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      for (const touch of touches) window.removeEventListener(touch, hasten, { capture: true })
    }
  }, [isLate])
  return isLate
}
