import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { nextPull, type Pull, type PullEvent } from './pull-gesture.ts'

/** Lets the member pull a scrolling element down from its top to refresh it. */
export function usePullToRefresh(
  scroller: RefObject<HTMLElement | null>,
  onRefresh: (() => Promise<unknown>) | undefined,
): Pull {
  const [pull, setPull] = useState<Pull>({ at: 'rest' })
  const refresh = useEffectEvent(async () => {
    await onRefresh?.()
  })

  const enabled = onRefresh !== undefined
  useEffect(() => {
    const element = scroller.current
    if (!element || !enabled) return
    let current: Pull = { at: 'rest' }
    const send = (event: PullEvent) => {
      const before = current
      current = nextPull(before, event)
      if (current === before) return
      setPull(current)
      if (current.at === 'refreshing') void refresh().finally(() => send({ type: 'refreshed' }))
    }

    const onDown = ({ touches }: TouchEvent) => {
      const [touch] = touches
      // A second finger means zooming.
      if (touches.length > 1) send({ type: 'up' })
      else if (touch) send({ type: 'down', y: touch.clientY, atTop: element.scrollTop <= 0 })
    }
    const onMove = (event: TouchEvent) => {
      const [touch] = event.touches
      if (touch && event.touches.length === 1) send({ type: 'move', y: touch.clientY })
      if (current.at === 'pulling' && event.cancelable) event.preventDefault()
    }
    const onUp = () => send({ type: 'up' })
    element.addEventListener('touchstart', onDown, { passive: true })
    element.addEventListener('touchmove', onMove, { passive: false })
    element.addEventListener('touchend', onUp)
    element.addEventListener('touchcancel', onUp)
    return () => {
      element.removeEventListener('touchstart', onDown)
      element.removeEventListener('touchmove', onMove)
      element.removeEventListener('touchend', onUp)
      element.removeEventListener('touchcancel', onUp)
      setPull({ at: 'rest' })
    }
  }, [scroller, enabled])

  return pull
}
