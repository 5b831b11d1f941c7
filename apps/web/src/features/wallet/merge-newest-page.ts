import type { DataOf } from '@lode/wire'

export type LogPage = DataOf<'wallet/log'>
export type LogPages = { readonly pages: LogPage[]; readonly pageParams: (string | null)[] }

/**
 * Merges the newest part of a log, which was read again, into the loaded pages. Older lines stay if the last line of
 * the new part was loaded before. Otherwise lines in between could be missing, so the older lines are dropped.
 */
export function mergeNewestPage(newest: LogPage, { pages, pageParams }: LogPages): LogPages {
  const loadedLines = pages.flatMap(({ lines }) => lines)
  const lastNew = newest.lines.at(-1)
  const overlapIndex = loadedLines.findIndex(({ id }) => id === lastNew?.id)
  const older = overlapIndex < 0 || newest.next === null ? [] : loadedLines.slice(overlapIndex + 1)
  if (older.length === 0) return { pages: [newest], pageParams: pageParams.slice(0, 1) }
  const next = pages.at(-1)?.next ?? null
  return { pages: [newest, { lines: older, next }], pageParams: [...pageParams.slice(0, 1), newest.next] }
}
