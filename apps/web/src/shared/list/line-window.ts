import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core'
import { type LineWindow, LONG_LIST, type WantedLines } from './long-list.ts'
import type { Range } from './next-drawn-lines.ts'

/** Lines that are drawn above and below the screen. They are there before a quick scroll reaches them. */
const OVERSCAN = 4

/**
 * Finds the lines of a long list that are near the screen. `list` has all lines at this moment. Their heights are taken
 * over, so that nothing moves when the list becomes a window.
 */
export function createLineWindow(
  list: HTMLElement,
  keyOf: (index: number) => string,
  onChange: () => void,
): LineWindow | null {
  const scroller = list.closest('main')
  if (!scroller) return null
  const lines = measureLines(list, keyOf)
  const averageHeight = Math.round((lines.at(-1)?.end ?? 0) / lines.length)
  const initialOffset = scroller.scrollTop
  const initialRect = { width: scroller.clientWidth, height: scroller.clientHeight }
  let offsetInScroller = offsetOf(list, scroller)

  const optionsFor = (count: number, keyOf: (index: number) => string, scrollOffset: number) => ({
    count,
    getItemKey: keyOf,
    getScrollElement: () => scroller,
    estimateSize: () => averageHeight,
    overscan: OVERSCAN,
    scrollMargin: offsetInScroller,
    initialMeasurementsCache: lines,
    initialOffset,
    initialRect,
    // A new line at the top does not move the lines that a member reads further down.
    anchorTo: scrollOffset > offsetInScroller ? ('end' as const) : ('start' as const),
    rangeExtractor: count > LONG_LIST ? defaultRangeExtractor : allLines,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange,
  })
  const virtualizer = new Virtualizer<HTMLElement, Element>(optionsFor(lines.length, keyOf, initialOffset))

  return {
    setLines: (count, keyOf) =>
      virtualizer.setOptions(optionsFor(count, keyOf, virtualizer.scrollOffset ?? initialOffset)),
    wanted: () => wantedLines(virtualizer),
    heightsAround: (drawn) => heightsAround(virtualizer, drawn),
    attach: () => {
      // The virtualizer keeps the position itself. Some browsers would correct it a second time.
      scroller.style.overflowAnchor = 'none'
      virtualizer._willUpdate()
      const detach = virtualizer._didMount()
      return () => {
        scroller.style.overflowAnchor = ''
        detach()
      }
    },
    committed: (first, setSize) => {
      virtualizer._willUpdate()
      Array.from(list.children).forEach((line, place) => {
        const index = first + place
        setAttributes(line, { 'data-index': index, 'aria-posinset': index + 1, 'aria-setsize': setSize })
        virtualizer.measureElement(line)
      })
      // Forgets the lines that were removed.
      virtualizer.measureElement(null)
    },
    moved: () => {
      offsetInScroller = offsetOf(list, scroller)
    },
  }
}

const allLines = ({ count }: { count: number }) => Array.from({ length: count }, (_, index) => index)

/** The heights of all lines of the list, in the form that the virtualizer starts with. */
function measureLines(list: HTMLElement, keyOf: (index: number) => string) {
  let start = 0
  return Array.from(list.children, (line, index) => {
    const size = Math.round(line.getBoundingClientRect().height)
    const measured = { index, key: keyOf(index), start, size, end: start + size, lane: 0 }
    start = measured.end
    return measured
  })
}

function wantedLines(virtualizer: Virtualizer<HTMLElement, Element>): WantedLines {
  const indexes = virtualizer.getVirtualIndexes()
  const first = indexes[0] ?? 0
  const end = (indexes.at(-1) ?? -1) + 1
  return { first, end, onScreen: Math.min(Math.max(first, virtualizer.range?.startIndex ?? 0), Math.max(end - 1, 0)) }
}

function heightsAround(virtualizer: Virtualizer<HTMLElement, Element>, { first, end }: Range) {
  const height = virtualizer.getTotalSize()
  const { scrollMargin } = virtualizer.options
  const [firstLine, lastLine] = [virtualizer.measurementsCache[first], virtualizer.measurementsCache[end - 1]]
  if (!firstLine || !lastLine) return { above: 0, below: height }
  return { above: firstLine.start - scrollMargin, below: Math.max(0, height - (lastLine.end - scrollMargin)) }
}

const offsetOf = (list: HTMLElement, scroller: HTMLElement): number =>
  Math.round(list.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop)

function setAttributes(element: Element, attributes: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(attributes))
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value))
}
