import type { ReactNode } from 'react'
import { useText } from '../i18n/index.ts'
import { ListEnd, Loaded, listEnd, OldNote, StateNote } from '../ui/index.ts'
import styles from './PagedList.module.css'

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
  /** Of all pages so far; nothing yet while the first is on its way. */
  items: readonly Item[] | undefined
  texts: { failed: string; offline: string; empty: string }
  /** A way out of an empty list. */
  whenEmpty?: ReactNode
  /** It has the same shape without an item. */
  line: (item: Item | undefined, place: number) => ReactNode
  /** How many lines fill what a screen has left. */
  waiting: number
  /** Where more than the list is to be asked for again. */
  onRetry?: () => unknown
}

/** A card of lines that is read page by page: on its way, not loaded, empty, as old as it is, and what comes after it. */
export function PagedList<Item>({ list, items, texts, whenEmpty, line, waiting, onRetry }: PagedListProps<Item>) {
  const t = useText()
  return (
    <Loaded
      query={{ ...list, data: items, refetch: onRetry ?? list.refetch }}
      failed={texts.failed}
      offline={texts.offline}
    >
      {(items) => (
        <>
          <OldNote since={list.isRefetchError && !list.isFetchNextPageError ? list.dataUpdatedAt : null} />
          {items?.length === 0 ? (
            <StateNote title={t('common.list.empty')} text={texts.empty}>
              {whenEmpty}
            </StateNote>
          ) : (
            <>
              <ol className={styles.list} aria-hidden={!items}>
                {items ? items.map(line) : Array.from({ length: waiting }, (_, place) => line(undefined, place))}
              </ol>
              {items && <ListEnd state={listEnd(list)} onMore={() => void list.fetchNextPage()} />}
            </>
          )}
        </>
      )}
    </Loaded>
  )
}
