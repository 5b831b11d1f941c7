import type { DataOf } from '@lode/wire'

export type LogPage = DataOf<'wallet/log'>
export type LogPages = { readonly pages: LogPage[]; readonly pageParams: (string | null)[] }

/**
 * What is known of a log, with its newest part read again. What lies below that part stays, if the new part reaches down to a
 * line that is known; where it does not, lines between them are missing, and what was known is let go.
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
