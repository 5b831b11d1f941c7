import type { DataOf } from '@lode/wire'

type NoticePage = DataOf<'notice/list'>

/** What the member has read: one notice, or that notice and all older ones. */
export type Marked = { readonly id: string; readonly andOlder?: boolean }

/**
 * A page after these notices were read. The server counts the unread ones, because this page knows only its own
 * notices.
 */
export function withRead(page: NoticePage, { id, andOlder = false }: Marked): NoticePage {
  const isMeant = (other: string) => (andOlder ? BigInt(other) <= BigInt(id) : other === id)
  const newlyRead = page.items.filter((item) => !item.read && isMeant(item.id)).length
  return {
    ...page,
    items: page.items.map((item) => (isMeant(item.id) ? { ...item, read: true } : item)),
    unread: Math.max(0, page.unread - newlyRead),
  }
}
