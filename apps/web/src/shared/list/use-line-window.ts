import { type RefObject, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react'
import { type LineWindow, LONG_LIST } from './long-list.ts'
import { nextDrawnLines, type Range } from './next-drawn-lines.ts'

type Lines = {
  readonly count: number
  /** The same function while the lines stay the same. */
  readonly keyOf: (index: number) => string
  /** False while further lines can be loaded. */
  readonly isComplete: boolean
}

/** The drawn lines, and the height of those above and below in pixels. */
type DrawnLines = Range & { readonly above: number; readonly below: number }

/** The time for rendering new lines in one frame. Layout and painting take about as long again. */
const RENDER_MS = 4
const MOST_LINES = 12

/**
 * The lines of a list that are near the screen, or null if all are drawn. The code for long lists is loaded only when a
 * list becomes long. A slow phone draws few new lines in a frame, a fast one all.
 */
export function useLineWindow(
  list: RefObject<HTMLOListElement | null>,
  { count, keyOf, isComplete }: Lines,
): DrawnLines | null {
  const [lineWindow, setLineWindow] = useState<LineWindow | null>(null)
  const [, render] = useReducer((renders: number) => renders + 1, 0)
  const newestKeyOf = useRef(keyOf)
  const hadFocus = useRef(false)
  const before = useRef<Range>({ first: 0, end: count })
  const msPerLine = useRef(RENDER_MS / 2)
  const isLong = count > LONG_LIST

  const beganAt = performance.now()
  lineWindow?.setLines(count, keyOf)
  const wanted = lineWindow && count > 0 ? lineWindow.wanted() : null
  // New data already takes the time of this frame, so nearly all new lines wait for the next one.
  const isNewData = newestKeyOf.current !== keyOf
  const step = isNewData ? 1 : Math.min(Math.max(1, Math.floor(RENDER_MS / msPerLine.current)), MOST_LINES)
  const drawn = wanted && nextDrawnLines(before.current, wanted, { onScreen: wanted.onScreen, step })

  useLayoutEffect(() => {
    newestKeyOf.current = keyOf
    lineWindow?.moved()
  }, [lineWindow, keyOf])

  useEffect(() => {
    if (!isLong || lineWindow) return
    let isWanted = true
    const onChange = () => {
      hadFocus.current = list.current?.contains(document.activeElement) ?? false
      render()
    }
    import('./line-window.ts').then(
      ({ createLineWindow }) => {
        if (isWanted && list.current) setLineWindow(createLineWindow(list.current, newestKeyOf.current, onChange))
      },
      // Without this code all lines are drawn, which is slow and otherwise right.
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [isLong, lineWindow, list])

  useLayoutEffect(() => lineWindow?.attach(), [lineWindow])
  useLayoutEffect(() => {
    const newLines = drawn ? countNew(before.current, drawn) : 0
    if (newLines > 0 && !isNewData)
      msPerLine.current = 0.5 * (msPerLine.current + (performance.now() - beganAt) / newLines)
    before.current = drawn ?? { first: 0, end: count }
    if (drawn) lineWindow?.committed(drawn.first, isComplete ? count : -1)
    // The focused line left the window. With the focus on the view, the arrow keys go on scrolling it.
    if (hadFocus.current && document.activeElement === document.body)
      list.current?.closest('main')?.focus({ preventScroll: true })
    hadFocus.current = false
    if (!drawn || !wanted || (drawn.first === wanted.first && drawn.end === wanted.end)) return
    const nextFrame = requestAnimationFrame(render)
    return () => cancelAnimationFrame(nextFrame)
  })
  return lineWindow && drawn ? { ...drawn, ...lineWindow.heightsAround(drawn) } : null
}

/** How many lines are drawn now and were not before. */
const countNew = (before: Range, now: Range): number =>
  now.end - now.first - Math.max(0, Math.min(before.end, now.end) - Math.max(before.first, now.first))
