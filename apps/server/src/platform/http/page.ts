import type { Route } from '@lode/wire'
import { createOpaqueIds } from './opaque-ids.ts'

const DEFAULT_SIZE = 20

/** A requested page of a list: the rows before the row `before`, or the first page. */
export type Page = { readonly before?: bigint; readonly limit: number }

type PageInput = { readonly cursor?: string; readonly limit?: string }

/** Lists are the routes whose request has a cursor. */
export const isList = (route: Route): boolean => 'cursor' in route.request.shape

/**
 * Row numbers would tell members how many rows the pool has, and could be made up. So `mount` encrypts the row number
 * in `next` of every list, and decrypts the cursor of every request. The key depends on the route and the filters: a
 * cursor is valid only for the list and the member that it was made for. The same page always has the same cursor, so
 * that an unchanged answer has an unchanged ETag.
 */
export function createPageCursors(secret: string) {
  const cursorsOf = (list: string, input: object) => {
    const filters = Object.entries(input).filter(([name]) => !NO_FILTERS.has(name))
    return createOpaqueIds(secret, `page of ${list} ${JSON.stringify(filters.toSorted())}`)
  }
  return {
    /** Null if the cursor was not made for this list and viewer. */
    readPage(list: string, viewer: bigint, input: object): Page | null {
      const { cursor, limit } = input as PageInput
      const size = limit === undefined ? DEFAULT_SIZE : Number(limit)
      if (cursor === undefined) return { limit: size }
      const before = cursorsOf(list, input).decode(viewer, cursor)
      return before === null ? null : { before, limit: size }
    },
    /** Encrypts the row number in `next` of a list's answer. */
    sealNext(list: string, viewer: bigint, input: object, data: object) {
      const { next } = data as { next: string | null }
      return next === null ? data : { ...data, next: cursorsOf(list, input).encode(viewer, BigInt(next)) }
    },
  }
}

/** The parts of a request that do not choose the rows of a list. */
const NO_FILTERS: ReadonlySet<string> = new Set(['account', 'cursor', 'limit', '_t'])

/** How many rows to read for a page of `limit`: one more shows that another page follows. */
export const rowsToRead = (limit: number): number => limit + 1

/** Cuts the extra row off, and returns the rows of the page with the row number at which the next page begins. */
export function cutPage<Row>(
  found: readonly Row[],
  limit: number,
  numberOf: (row: Row) => bigint | number | string,
): { page: readonly Row[]; next: string | null } {
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return { page, next: found.length > limit && last !== undefined ? String(numberOf(last)) : null }
}
