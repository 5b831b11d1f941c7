import type { DataOf } from '@lode/wire'
import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { call, queryClient, read, readPages } from '../../shared/api/index.ts'
import { session } from '../../shared/session/index.ts'
import { type Marked, withRead } from './read-state.ts'

type NoticePage = DataOf<'notice/list'>
export type Notice = NoticePage['items'][number]

const kept = { meta: { quiet: true }, gcTime: Number.POSITIVE_INFINITY }
const EVERY_MINUTE = 60_000

/** The newest notice and the number of unread ones, for other screens. */
export const useNewest = () =>
  useQuery({ ...read('notice/list', { limit: '1' }), ...kept, refetchInterval: EVERY_MINUTE })

export const useNotices = () => useInfiniteQuery({ ...readPages('notice/list', {}), ...kept })

/**
 * Shows the notice as read at once, everywhere. If the server does not receive it, the notice is unread again at the
 * next read, which does no harm. An exit session can read notices but does not mark them.
 */
export async function markRead(marked: Marked): Promise<void> {
  const { account, exit } = session.get()
  if (exit) return
  change((page) => withRead(page, marked))
  const answer = await call('notice/read', marked, { quiet: true })
  if (answer.ok && session.get().account === account) change((page) => ({ ...page, unread: answer.value.unread }))
}

function change(changed: (page: NoticePage) => NoticePage): void {
  const queryKey = ['notice/list', session.get().account]
  queryClient.setQueriesData<NoticePage | InfiniteData<NoticePage>>({ queryKey }, (known) => {
    if (!known) return known
    return 'pages' in known ? { ...known, pages: known.pages.map(changed) } : changed(known)
  })
}
