import type { DataOf } from '@lode/wire'

type NoticePage = DataOf<'notice/list'>

/** What the member has read: one notice, or it and all before it. */
export type Marked = { readonly id: string; readonly andOlder?: boolean }

/** A page as it is once that is read. How many are left is the server's to say: this page knows only its own. */
export function withRead(page: NoticePage, { id, andOlder = false }: Marked): NoticePage {
  const isMeant = (other: string) => (andOlder ? BigInt(other) <= BigInt(id) : other === id)
  const newlyRead = page.items.filter((item) => !item.read && isMeant(item.id)).length
  return {
    ...page,
    items: page.items.map((item) => (isMeant(item.id) ? { ...item, read: true } : item)),
    unread: Math.max(0, page.unread - newlyRead),
  }
}
