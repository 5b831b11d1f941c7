import type { DataOf } from '@lode/wire'

type NoticePage = DataOf<'notice/list'>

/** What the member has read: one notice, or that notice and all older ones. */
export type ReadMark = { readonly id: string; readonly andOlder?: boolean }

/**
 * Returns the page with these notices marked as read. `unread` is then an estimate, because a page knows only its own
 * notices. The count in the answer of the server replaces it.
 */
export function markPageRead(page: NoticePage, { id, andOlder = false }: ReadMark): NoticePage {
  const isMarked = (other: string) => (andOlder ? BigInt(other) <= BigInt(id) : other === id)
  const newlyRead = page.items.filter((item) => !item.read && isMarked(item.id)).length
  return {
    ...page,
    items: page.items.map((item) => (isMarked(item.id) ? { ...item, read: true } : item)),
    unread: Math.max(0, page.unread - newlyRead),
  }
}
