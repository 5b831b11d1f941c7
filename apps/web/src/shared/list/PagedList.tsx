import type { ReactNode } from 'react'
import { useText } from '../i18n/index.ts'
import { ListEnd, Loaded, listEnd, StaleNote, StateNote } from '../ui/index.ts'
import { Lines } from './Lines.tsx'

type Pages = Parameters<typeof listEnd>[0] & {
  readonly error: Error | null
  readonly isPaused: boolean
  readonly isFetching: boolean
  readonly isRefetchError: boolean
  readonly dataUpdatedAt: number
  readonly refetch: () => Promise<unknown>
  readonly fetchNextPage: () => Promise<unknown>
}

type PagedListProps<Item> = {
  list: Pages
  /** The items of all loaded pages; undefined while the first page loads. */
  items: readonly Item[] | undefined
  texts: { failed: string; offline: string; empty: string }
  /** Names an item. Always the same function. Needed if new items come first. */
  keyOf?: (item: Item) => string
  /** An action for an empty list. */
  whenEmpty?: ReactNode
  /** Draws one line. Without an item it draws a placeholder of the same shape. */
  line: (item: Item | undefined, index: number) => ReactNode
  /** How many placeholder lines are drawn while the first page loads. They should fill the screen. */
  waiting: number
  /** Replaces the list's own retry, if more than the list must be read again. */
  onRetry?: () => unknown
}

/** A list that is read page by page, with its loading, error, empty and stale states. */
export function PagedList<Item>({
  list,
  items,
  keyOf,
  texts,
  whenEmpty,
  line,
  waiting,
  onRetry,
}: PagedListProps<Item>) {
  const t = useText()
  return (
    <Loaded
      query={{ ...list, data: items, refetch: onRetry ?? list.refetch }}
      failed={texts.failed}
      offline={texts.offline}
    >
      {(items) => (
        <>
          <StaleNote since={list.isRefetchError && !list.isFetchNextPageError ? list.dataUpdatedAt : null} />
          {items?.length === 0 ? (
            <StateNote title={t('common.list.empty')} text={texts.empty}>
              {whenEmpty}
            </StateNote>
          ) : (
            <>
              <Lines {...{ items, keyOf, line, waiting }} isComplete={!list.hasNextPage} />
              {items && <ListEnd state={listEnd(list)} onMore={() => void list.fetchNextPage()} />}
            </>
          )}
        </>
      )}
    </Loaded>
  )
}
