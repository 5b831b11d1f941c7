import type { DataOf } from '@lode/wire'
import { oldestDayNeeded, parsePledge } from './recompute.ts'

type TablePage = DataOf<'pool/days'>
type LinePage = DataOf<'pledge/days'>
type RecordPage = DataOf<'pledge/records'>
type Cursor = { readonly cursor?: string }

/** The three paged lists that the check reads. */
export type DayLists = {
  readonly table: (page: Cursor) => Promise<TablePage>
  readonly lines: (page: Cursor) => Promise<LinePage>
  readonly records: (page: Cursor) => Promise<RecordPage>
}

export type LoadedDays = {
  /** Newest first, as far back as the shown lines need. */
  readonly days: TablePage['items']
  /** How many of these days are shown. */
  readonly shown: number
  readonly lines: LinePage['items']
  readonly records: RecordPage['items']
  /** The pool's first day, if the table has been read down to it. */
  readonly first: number | null
}

/**
 * Reads the newest days with everything that is needed to recompute them. The table is read first: a day that closes
 * meanwhile is then in the later lists, so no line seems to be missing.
 */
export async function readDays(dayCount: number, lists: DayLists): Promise<LoadedDays> {
  const table = await readWhile(lists.table, ({ length }) => length <= dayCount)
  const records = await readWhile(lists.records, () => true)
  const shown = Math.min(dayCount, table.items.length)
  const oldest = table.items[shown - 1]?.day
  if (oldest === undefined) return { days: [], shown: 0, lines: [], records: records.items, first: null }
  const pledges = records.items.flatMap((record) => parsePledge(record) ?? [])
  const needed = oldestDayNeeded(oldest, pledges)
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

type LoadedPages<Item> = { readonly items: readonly Item[]; readonly next: string | null }

/**
 * Reads page after page while more is needed and available. Continues where an earlier read ended, if there was one.
 */
async function readWhile<Item>(
  read: (page: Cursor) => Promise<{ items: Item[]; next: string | null }>,
  isNeeded: (items: readonly Item[]) => boolean,
  previous?: LoadedPages<Item> & { readonly items: Item[] },
): Promise<{ items: Item[]; next: string | null }> {
  let { items, next } = previous ?? (await read({}))
  while (next !== null && isNeeded(items)) {
    const page: { items: Item[]; next: string | null } = await read({ cursor: next })
    items = [...items, ...page.items]
    next = page.next
  }
  return { items, next }
}
