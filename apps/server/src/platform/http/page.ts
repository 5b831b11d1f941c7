const SIZE = 20

/** As many as were asked for. */
export const pageSize = (limit: string | undefined): number => (limit === undefined ? SIZE : Number(limit))

/** As many digits as an int8 holds for certain. */
const ROW_NUMBER = /^[1-9][0-9]{0,17}$/

type Asked = { readonly cursor?: string | undefined; readonly limit?: string | undefined }

/** A page of a list whose cursor is the number of a row: what comes before that row. Null where the cursor is none. */
export function pageBeforeRow({ cursor, limit }: Asked): { readonly before?: bigint; readonly limit: number } | null {
  if (cursor !== undefined && !ROW_NUMBER.test(cursor)) return null
  return { ...(cursor && { before: BigInt(cursor) }), limit: pageSize(limit) }
}

/** How many rows to read for a page of `limit`: the one beyond it tells that another page follows. */
export const oneBeyond = (limit: number): number => limit + 1

/** The rows of a page, of one beyond it where there are so many, and the cursor of the page after it. */
export function cutPage<Row>(
  found: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => bigint | number | string,
): { page: readonly Row[]; next: string | null } {
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return { page, next: found.length > limit && last !== undefined ? String(cursorOf(last)) : null }
}
