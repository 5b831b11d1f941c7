import { type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { session } from '../session/index.ts'
import { loadedPagesKey } from './loaded-pages-key.ts'
import { LONG_LIST } from './long-list.ts'
import { mergeNewestPage, type PageOf, type Pages } from './merge-newest-page.ts'

/** The items that one call returns by default, and at most. */
const PAGE_ITEMS = 20
const MAX_ITEMS = 100

type NewestFirst<Page extends { readonly next: string | null }, Item> = {
  /** The key of `readPages`. */
  readonly queryKey: readonly unknown[]
  readonly readPage: (page: { cursor?: string; limit?: string }, signal: AbortSignal) => Promise<Page>
  /** Always the same object. */
  readonly pageOf: PageOf<Page, Item>
  /** How often a visible list refreshes itself. Without it: when the view or the browser is shown again. */
  readonly refreshMs?: (items: readonly Item[]) => number
}

const cacheOptions = { meta: { quiet: true }, gcTime: Number.POSITIVE_INFINITY }

/**
 * A member's list that is read page by page, newest first. Pages load as the member scrolls. A refresh reads only the
 * newest part again, with one call of up to a hundred items. Older items can have changed too. So if the member asked
 * for the refresh, or did something that changes the list, they are dropped and load again as the member scrolls.
 */
export function useNewestFirst<Page extends { readonly next: string | null }, Item>({
  queryKey,
  readPage,
  pageOf,
  refreshMs,
}: NewestFirst<Page, Item>) {
  const queryClient = useQueryClient()
  const pagesKey = loadedPagesKey(queryKey)
  const countLoaded = (client: QueryClient): number =>
    client.getQueryData<Pages<Page>>(pagesKey)?.pages.reduce((sum, page) => sum + pageOf.itemsOf(page).length, 0) ?? 0

  const list = useInfiniteQuery({
    ...cacheOptions,
    queryKey: pagesKey,
    enabled: () => session.get().token !== null,
    staleTime: Number.POSITIVE_INFINITY,
    // Comparing thousands of items at every change would take longer than a frame. The merge keeps equal items.
    structuralSharing: false,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, client, signal }) => {
      if (pageParam === null) return readPage({}, signal)
      // A long list draws few of its items, so larger pages cost nothing there.
      const isLong = countLoaded(client) >= LONG_LIST
      return readPage({ cursor: pageParam, ...(isLong && { limit: String(MAX_ITEMS) }) }, signal)
    },
    getNextPageParam: ({ next }) => next,
  })
  const loaded = list.data?.pages
  const items = useMemo(() => loaded?.flatMap((page) => pageOf.itemsOf(page)), [loaded, pageOf])

  const newestKey = [...queryKey, 'newest']
  /** The last refresh failed, or one is under way. */
  const hasFailed = useRef(false)
  /** Whether the next refresh drops the older items. */
  const dropsOlder = useRef(false)
  const newest = useQuery({
    ...cacheOptions,
    queryKey: newestKey,
    enabled: items !== undefined,
    // The pages were just loaded, so the first refresh waits.
    initialData: 0,
    initialDataUpdatedAt: () => Date.now(),
    refetchInterval: refreshMs && items ? refreshMs(items) : false,
    queryFn: async ({ client, signal }) => {
      // A failed refresh invalidates the query too, and says nothing about the older items.
      if (client.getQueryState(newestKey)?.isInvalidated && !hasFailed.current) dropsOlder.current = true
      hasFailed.current = true
      const limit = Math.min(Math.max(countLoaded(client), PAGE_ITEMS), MAX_ITEMS)
      const page = await readPage({ limit: String(limit) }, signal)
      // A page that is loading would be appended to the list as it was before this refresh. It is requested again.
      await client.cancelQueries({ queryKey: pagesKey, exact: true })
      client.setQueryData<Pages<Page>>(
        pagesKey,
        (before) => before && mergeNewestPage(page, before, pageOf, !dropsOlder.current),
      )
      hasFailed.current = false
      dropsOlder.current = false
      return Date.now()
    },
  })

  const { error, isPaused, isFetching, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  return {
    items,
    lastPage: loaded?.at(-1),
    ...{ error, isPaused, isFetching, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage },
    isRefetchError: newest.isRefetchError || list.isRefetchError,
    dataUpdatedAt: Math.max(newest.dataUpdatedAt, list.dataUpdatedAt),
    /** The member's own refresh. */
    refetch: (): Promise<unknown> => {
      if (items === undefined) return list.refetch()
      dropsOlder.current = true
      return queryClient.invalidateQueries({ queryKey: newestKey, exact: true })
    },
  }
}
