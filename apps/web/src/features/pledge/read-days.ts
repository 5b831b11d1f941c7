import type { DataOf } from '@lode/wire'
import { oldestNeeded, pledgeFrom } from './recompute.ts'

type TablePage = DataOf<'pool/days'>
type LinePage = DataOf<'pledge/days'>
type RecordPage = DataOf<'pledge/records'>
type Cursor = { readonly cursor?: string }

/** The three lists that a check needs, page by page. */
export type Lists = {
  readonly table: (page: Cursor) => Promise<TablePage>
  readonly lines: (page: Cursor) => Promise<LinePage>
  readonly records: (page: Cursor) => Promise<RecordPage>
}

export type DaysRead = {
  /** Newest first, as far back as the lines of those that are shown need it. */
  readonly days: TablePage['items']
  /** How many of them are to be shown. */
  readonly shown: number
  readonly lines: LinePage['items']
  readonly records: RecordPage['items']
  /** The first day of all, where the table is here down to it. */
  readonly first: number | null
}

/**
 * The newest days with all that is needed to reckon them again. The table comes first: whatever closes meanwhile is in the lists that
 * are read after it, so that no line seems to be missing.
 */
export async function readDays(reach: number, lists: Lists): Promise<DaysRead> {
  const table = await readWhile(lists.table, ({ length }) => length <= reach)
  const records = await readWhile(lists.records, () => true)
  const shown = Math.min(reach, table.items.length)
  const oldest = table.items[shown - 1]?.day
  if (oldest === undefined) return { days: [], shown: 0, lines: [], records: records.items, first: null }
  const pledges = records.items.flatMap((record) => pledgeFrom(record) ?? [])
  const needed = oldestNeeded(oldest, pledges)
  const whole = await readWhile(lists.table, (items) => (items.at(-1)?.day ?? 0) > needed, table)
  const lines = await readWhile(lists.lines, (items) => (items.at(-1)?.day ?? oldest) > oldest || items.length === 0)
  return {
    days: whole.items,
    shown,
    lines: lines.items,
    records: records.items,
    first: whole.next === null ? (whole.items.at(-1)?.day ?? null) : null,
  }
}

type Read<Item> = { readonly items: readonly Item[]; readonly next: string | null }

/** Page after page for as long as more is needed and there is more; from where an earlier reading ended, if there was one. */
async function readWhile<Item>(
  read: (page: Cursor) => Promise<{ items: Item[]; next: string | null }>,
  isNeeded: (items: readonly Item[]) => boolean,
  before?: Read<Item> & { readonly items: Item[] },
): Promise<{ items: Item[]; next: string | null }> {
  let { items, next } = before ?? (await read({}))
  while (next !== null && isNeeded(items)) {
    const page: { items: Item[]; next: string | null } = await read({ cursor: next })
    items = [...items, ...page.items]
    next = page.next
  }
  return { items, next }
}
