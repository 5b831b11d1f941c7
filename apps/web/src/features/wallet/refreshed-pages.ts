import type { DataOf } from '@lode/wire'

export type LogPage = DataOf<'wallet/log'>
export type LogPages = { readonly pages: LogPage[]; readonly pageParams: (string | null)[] }

/**
 * Merges the newest part of a log, which was read again, into the loaded pages. Older lines stay if the new part
 * reaches down to a known line. Otherwise lines between them are missing, and the older lines are dropped.
 */
export function refreshedPages(newest: LogPage, { pages, pageParams }: LogPages): LogPages {
  const known = pages.flatMap(({ lines }) => lines)
  const lastNew = newest.lines.at(-1)
  const meeting = known.findIndex(({ id }) => id === lastNew?.id)
  const older = meeting < 0 || newest.next === null ? [] : known.slice(meeting + 1)
  if (older.length === 0) return { pages: [newest], pageParams: pageParams.slice(0, 1) }
  const next = pages.at(-1)?.next ?? null
  return { pages: [newest, { lines: older, next }], pageParams: [...pageParams.slice(0, 1), newest.next] }
}
