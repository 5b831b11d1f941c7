import type { Asset } from '@lode/kernel'
import type { DataOf, RequestOf } from '@lode/wire'
import { fetchRead, readPages } from '../../shared/api/index.ts'
import { type PageOf, useNewestFirst } from '../../shared/list/index.ts'
import { listEnd } from '../../shared/ui/index.ts'
import { refreshInterval } from '../assets/index.ts'

export type LogPage = DataOf<'wallet/log'>
export type WalletLogLine = LogPage['lines'][number]
export type LogFilters = Pick<RequestOf<'wallet/log'>, 'type' | 'status' | 'from' | 'to'>

const pageOf: PageOf<LogPage, WalletLogLine> = {
  itemsOf: ({ lines }) => lines,
  withItems: (page, lines) => ({ ...page, lines }),
  keyOf: ({ id }) => id,
}

/** The log of one asset. Its newest part is read again often while a line is confirming. */
export function useLog(symbol: Asset, filters: LogFilters) {
  const request = { symbol, ...filters }
  const log = useNewestFirst({
    queryKey: readPages('wallet/log', request).queryKey,
    readPage: (page, signal) => fetchRead('wallet/log', { ...request, ...page }, signal),
    pageOf,
    refreshMs: (lines) => refreshInterval(lines.some(({ status }) => status === 'confirming')),
  })
  return {
    data: log.items,
    error: log.error,
    isPaused: log.isPaused,
    end: listEnd(log),
    isFetching: log.isFetching,
    /** If the refresh failed, the time of the shown data; otherwise null. */
    oldSince: log.isRefetchError ? log.dataUpdatedAt : null,
    loadMore: () => void log.fetchNextPage(),
    refetch: log.refetch,
  }
}
