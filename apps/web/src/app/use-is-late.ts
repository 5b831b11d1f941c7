import { useEffect, useState } from 'react'

/** By then the first view is drawn and its first reads are answered, even on most slow networks. */
const DELAY_MS = 3_000

const touches = ['pointerdown', 'keydown'] as const

/** True some seconds after the first paint, or at the first touch: what nobody needs before that may load now. */
export function useIsLate(): boolean {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    if (isLate) return
    const end = () => setIsLate(true)
    const timer = setTimeout(end, DELAY_MS)
    for (const touch of touches) window.addEventListener(touch, end, { capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      for (const touch of touches) window.removeEventListener(touch, end, { capture: true })
    }
  }, [isLate])
  return isLate
}
