import type { DataOf } from '@lode/wire'

type NoticePage = DataOf<'notice/list'>

/** What the member has read: one notice, or that notice and all older ones. */
export type ReadMark = {
  readonly notice: Pick<NoticePage['items'][number], 'id' | 'at'>
  readonly andOlder?: boolean
}

/**
 * Returns the page with these notices marked as read. `unread` is then an estimate, because a page knows only its own
 * notices. The count in the answer of the server replaces it.
 */
export function markPageRead(page: NoticePage, { notice, andOlder = false }: ReadMark): NoticePage {
  const isMarked = ({ id, at }: ReadMark['notice']) => id === notice.id || (andOlder && at <= notice.at)
  const newlyRead = page.items.filter((item) => !item.read && isMarked(item)).length
  return {
    ...page,
    items: page.items.map((item) => (isMarked(item) ? { ...item, read: true } : item)),
    unread: Math.max(0, page.unread - newlyRead),
  }
}
