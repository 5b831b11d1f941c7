const DEFAULT_SIZE = 20

/** The requested page size, or the default. */
export const pageSize = (limit: string | undefined): number => (limit === undefined ? DEFAULT_SIZE : Number(limit))

/** At most 18 digits, which always fit into an int8. */
const ROW_NUMBER = /^[1-9][0-9]{0,17}$/

type PageRequest = { readonly cursor?: string | undefined; readonly limit?: string | undefined }

/** Reads a page request whose cursor is a row number: the page has the rows before it. Null if it is invalid. */
export function pageBeforeRow({
  cursor,
  limit,
}: PageRequest): { readonly before?: bigint; readonly limit: number } | null {
  if (cursor !== undefined && !ROW_NUMBER.test(cursor)) return null
  return { ...(cursor && { before: BigInt(cursor) }), limit: pageSize(limit) }
}

/** How many rows to read for a page of `limit`: one more shows that another page follows. */
export const rowsToRead = (limit: number): number => limit + 1

/** Cuts the extra row off, and returns the rows of the page with the cursor of the next page. */
export function cutPage<Row>(
  found: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => bigint | number | string,
): { page: readonly Row[]; next: string | null } {
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return { page, next: found.length > limit && last !== undefined ? String(cursorOf(last)) : null }
}
