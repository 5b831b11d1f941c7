import { type ReactNode, useCallback, useRef } from 'react'
import styles from './Lines.module.css'
import { useLineWindow } from './use-line-window.ts'

type LinesProps<Item> = {
  /** The items of all loaded pages; undefined while the first page loads. */
  items: readonly Item[] | undefined
  /** Names an item. Always the same function. Needed if new items come first. */
  keyOf?: ((item: Item) => string) | undefined
  /** Draws one line, an `li`. Without an item it draws a placeholder of the same shape. */
  line: (item: Item | undefined, index: number) => ReactNode
  /** How many placeholder lines are drawn while the first page loads. They should fill the screen. */
  waiting: number
  /** False while further lines can be loaded. */
  isComplete: boolean
}

/** The lines of a list. Of a long list only those near the screen are drawn. */
export function Lines<Item>({ items, keyOf, line, waiting, isComplete }: LinesProps<Item>) {
  const list = useRef<HTMLOListElement>(null)
  const keyAt = useCallback(
    (index: number) => {
      const item = items?.[index]
      return item !== undefined && keyOf ? keyOf(item) : String(index)
    },
    [items, keyOf],
  )
  const drawn = useLineWindow(list, { count: items?.length ?? 0, keyOf: keyAt, isComplete })
  const first = drawn?.first ?? 0
  return (
    <ol
      ref={list}
      className={styles.list}
      aria-hidden={!items}
      data-continued={first > 0 ? '' : undefined}
      style={drawn ? { paddingTop: drawn.above, paddingBottom: drawn.below } : undefined}
    >
      {items
        ? items.slice(first, drawn?.end).map((item, place) => line(item, first + place))
        : Array.from({ length: waiting }, (_, index) => line(undefined, index))}
    </ol>
  )
}
