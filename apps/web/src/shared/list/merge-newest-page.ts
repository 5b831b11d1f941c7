import { replaceEqualDeep } from '@tanstack/react-query'

export type Pages<Page> = { readonly pages: Page[]; readonly pageParams: (string | null)[] }

/** How a page contains its items. */
export type PageOf<Page, Item> = {
  readonly itemsOf: (page: Page) => readonly Item[]
  readonly withItems: (page: Page, items: Item[]) => Page
  readonly keyOf: (item: Item) => string
}

/**
 * Merges the newest part of a list, which was read again, into the loaded pages. Older items stay if the last item of
 * the new part was loaded before. Otherwise items in between could be missing, so the older items are dropped, as
 * without `keepsOlder`. Items that did not change stay the same objects, so that their lines do not render again.
 */
export function mergeNewestPage<Page extends { readonly next: string | null }, Item>(
  newest: Page,
  { pages, pageParams }: Pages<Page>,
  { itemsOf, withItems, keyOf }: PageOf<Page, Item>,
  keepsOlder = true,
): Pages<Page> {
  const loaded = pages.flatMap((page) => itemsOf(page))
  const newItems = itemsOf(newest)
  const lastNew = newItems.at(-1)
  const overlapIndex = lastNew ? loaded.findIndex((item) => keyOf(item) === keyOf(lastNew)) : -1
  const known = new Map(loaded.slice(0, overlapIndex + 1).map((item) => [keyOf(item), item]))
  const first = withItems(
    newest,
    newItems.map((item) => replaceEqualDeep(known.get(keyOf(item)), item)),
  )
  const older = !keepsOlder || overlapIndex < 0 || newest.next === null ? [] : loaded.slice(overlapIndex + 1)
  if (older.length === 0) return { pages: [first], pageParams: pageParams.slice(0, 1) }
  const rest = withItems({ ...newest, next: pages.at(-1)?.next ?? null }, older)
  return { pages: [first, rest], pageParams: [...pageParams.slice(0, 1), newest.next] }
}
