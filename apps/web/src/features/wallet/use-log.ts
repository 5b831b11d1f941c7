import type { Asset } from '@lode/kernel'
import type { RequestOf } from '@lode/wire'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { fetchRead, readPages } from '../../shared/api/index.ts'
import { listEnd } from '../../shared/ui/index.ts'
import { type LogPage, type LogPages, mergeNewestPage } from './merge-newest-page.ts'
import { refreshInterval } from './refresh-interval.ts'

export type WalletLogLine = LogPage['lines'][number]
export type LogFilters = Pick<RequestOf<'wallet/log'>, 'type' | 'status'>

/** The most lines that one call returns. */
const MAX_LINES = 100

/**
 * The log of one asset. Pages load as the member scrolls. From time to time one call reads the newest part again, up to
 * a hundred lines. Everything is read again when the member asks for it.
 */
export function useLog(symbol: Asset, filters: LogFilters) {
  const queryClient = useQueryClient()
  const request = { symbol, ...filters }
  const pages = readPages('wallet/log', request)
  const log = useInfiniteQuery({
    ...pages,
    meta: { quiet: true },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const lines = log.data?.pages.flatMap((page) => page.lines)

  const newestRefresh = useQuery({
    queryKey: [...pages.queryKey, 'newest'],
    enabled: log.data !== undefined,
    meta: { quiet: true },
    gcTime: Number.POSITIVE_INFINITY,
    // The pages were just loaded, so the first refresh waits for the interval.
    initialData: 0,
    initialDataUpdatedAt: () => Date.now(),
    refetchInterval: refreshInterval(lines?.some(({ status }) => status === 'confirming') ?? false),
    queryFn: async ({ client, signal }) => {
      const loadedLines = client.getQueryData<LogPages>(pages.queryKey)?.pages.flatMap((page) => page.lines) ?? []
      const limit = String(Math.min(Math.max(loadedLines.length, 20), MAX_LINES))
      const page = await fetchRead('wallet/log', { ...request, limit }, signal)
      client.setQueryData<LogPages>(pages.queryKey, (before) => before && mergeNewestPage(page, before))
      return Date.now()
    },
  })

  return {
    data: lines,
    error: log.error,
    isPaused: log.isPaused,
    end: listEnd(log),
    isFetching: log.isFetching,
    /** If the refresh failed, the time of the shown data; otherwise null. */
    oldSince:
      newestRefresh.isRefetchError || log.isRefetchError
        ? Math.max(newestRefresh.dataUpdatedAt, log.dataUpdatedAt)
        : null,
    loadMore: () => void log.fetchNextPage(),
    reloadAll: () => queryClient.refetchQueries({ queryKey: pages.queryKey, exact: true }),
    refetch: () => log.refetch(),
  }
}
