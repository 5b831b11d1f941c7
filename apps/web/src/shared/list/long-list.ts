import type { Range } from './next-drawn-lines.ts'

/** A list with more lines draws only those near the screen. Shorter lists are drawn whole: find in page works there. */
export const LONG_LIST = 100

/** The lines near the screen. `onScreen` is the first of them that is on the screen. */
export type WantedLines = Range & { readonly onScreen: number }

export type LineWindow = {
  readonly setLines: (count: number, keyOf: (index: number) => string) => void
  readonly wanted: () => WantedLines
  /** The heights in pixels of the lines above and below the drawn ones. */
  readonly heightsAround: (drawn: Range) => { readonly above: number; readonly below: number }
  /** Follows the scrolling of the view, until the returned function is called. */
  readonly attach: () => () => void
  /** Called after every commit: measures the drawn lines, and numbers them for screen readers. */
  readonly committed: (first: number, setSize: number) => void
  /** Called when the list's place in its view may have changed. */
  readonly moved: () => void
}
