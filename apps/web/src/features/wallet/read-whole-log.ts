import { ok, type Result } from '@lode/kernel'
import type { LogPage } from './use-log.ts'

/** Reads every line, page after page, with one call at a time. */
export async function readWholeLog<E>(
  readPage: (cursor: string | null) => Promise<Result<LogPage, E>>,
  onLines: (count: number) => void,
): Promise<Result<LogPage['lines'], E>> {
  const lines: LogPage['lines'] = []
  let cursor: string | null = null
  do {
    const page: Result<LogPage, E> = await readPage(cursor)
    if (!page.ok) return page
    lines.push(...page.value.lines)
    onLines(lines.length)
    cursor = page.value.next
  } while (cursor !== null)
  return ok(lines)
}
