import type { DataOf } from '@lode/wire'
import { type InfiniteData, useQuery } from '@tanstack/react-query'
import { call, queryClient, read, readPages, spread } from '../../shared/api/index.ts'
import { loadedPagesKey } from '../../shared/list/index.ts'
import { session } from '../../shared/session/index.ts'
import { markPageRead, type ReadMark } from './read-state.ts'

export type NoticePage = DataOf<'notice/list'>
export type Notice = NoticePage['items'][number]

const cacheOptions = { meta: { quiet: true }, gcTime: Number.POSITIVE_INFINITY }
const POLL_MS = 600_000

const newestNotice = () => read('notice/list', { limit: '1' })

/** The newest notice and the number of unread ones, for other screens. */
export const useNewestNotice = () =>
  useQuery({
    ...newestNotice(),
    ...cacheOptions,
    refetchInterval: ({ state }) => spread(POLL_MS, state.dataUpdatedAt),
  })

export const noticePagesKey = () => readPages('notice/list', {}).queryKey

/**
 * Shows the notice as read at once, on every screen. If the call is lost, the notice is shown as unread again after the
 * next read, which does no harm. An exit session can read notices but does not mark them.
 */
export async function markRead(marked: ReadMark): Promise<void> {
  const { account, exit } = session.get()
  if (exit) return
  updateCachedPages((page) => markPageRead(page, marked))
  const { notice, andOlder = false } = marked
  const answer = await call('notice/read', { id: notice.id, andOlder }, { quiet: true })
  if (answer.ok && session.get().account === account)
    updateCachedPages((page) => ({ ...page, unread: answer.value.unread }))
}

function updateCachedPages(update: (page: NoticePage) => NoticePage): void {
  queryClient.setQueryData<NoticePage>(newestNotice().queryKey, (cached) => cached && update(cached))
  queryClient.setQueryData<InfiniteData<NoticePage>>(
    loadedPagesKey(noticePagesKey()),
    (cached) => cached && { ...cached, pages: cached.pages.map(update) },
  )
}
