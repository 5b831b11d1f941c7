import type { DataOf } from '@lode/wire'
import { describe, expect, it } from 'vitest'
import { mergeNewestPage, type PageOf, type Pages } from './merge-newest-page.ts'

type LogPage = DataOf<'wallet/log'>

const line = (id: string, status: 'confirming' | 'confirmed' = 'confirmed'): LogPage['lines'][number] => ({
  id,
  type: 'transferIn',
  status,
  direction: 'in',
  amount: '1',
  fee: '0',
  at: '2026-11-15T06:00:00.000Z',
  endedAt: null,
  tx: null,
  balanceAfter: null,
})
const page = (ids: string, next: string | null) => ({ lines: Array.from(ids, (id) => line(id)), next })
const known = { pages: [page('edc', '3'), page('ba', null)], pageParams: [null, '3'] }
const shown = ({ pages }: { pages: LogPage[] }) =>
  pages.map(({ lines }) => lines.map(({ id }) => id).join('')).join('|')

const pageOf: PageOf<LogPage, LogPage['lines'][number]> = {
  itemsOf: ({ lines }) => lines,
  withItems: (page, lines) => ({ ...page, lines }),
  keyOf: ({ id }) => id,
}
const merge = (newest: LogPage, before: Pages<LogPage>) => mergeNewestPage(newest, before, pageOf)

describe('a log whose newest part is read again', () => {
  it('gets the new lines at the top and keeps the older ones', () => {
    const refreshed = merge(page('gfed', '4'), known)
    expect(shown(refreshed)).toBe('gfed|cba')
    expect(refreshed.pages.at(-1)?.next).toBeNull()
    expect(refreshed.pageParams).toEqual([null, '4'])
  })

  it('takes the new status of its lines', () => {
    const before = { pages: [{ lines: [line('b', 'confirming'), line('a')], next: null }], pageParams: [null] }
    expect(merge(page('ba', null), before).pages[0]?.lines[0]?.status).toBe('confirmed')
  })

  it('loses a deposit that a reorganization removed', () => {
    expect(shown(merge(page('dc', '3'), known))).toBe('dc|ba')
  })

  it('drops the older lines if lines between them and the new part are missing', () => {
    const refreshed = merge(page('zyx', '24'), known)
    expect(shown(refreshed)).toBe('zyx')
    expect(refreshed.pages.at(-1)?.next).toBe('24')
  })

  it('ends with the new part if there are no older lines', () => {
    expect(shown(merge(page('a', null), known))).toBe('a')
    expect(shown(merge({ lines: [], next: null }, known))).toBe('')
  })

  it('has each line once, however often it is refreshed', () => {
    let pages = known
    for (const ids of ['fed', 'gfe', 'hgf']) pages = { ...known, ...merge(page(ids, '1'), pages) }
    expect(shown(pages)).toBe('hgf|edcba')
  })

  it('keeps lines that did not change as they are, so that they do not render again', () => {
    const before = known.pages.flatMap(({ lines }) => lines)
    const after = merge(page('fedc', '3'), known).pages.flatMap(({ lines }) => lines)
    expect(after.map(({ id }) => id).join('')).toBe('fedcba')
    for (const [place, unchanged] of before.entries()) expect(after[place + 1]).toBe(unchanged)
  })

  it('drops the older lines if the member asked for the refresh', () => {
    const refreshed = mergeNewestPage(page('gfed', '4'), known, pageOf, false)
    expect(shown(refreshed)).toBe('gfed')
    expect(refreshed.pages.at(-1)?.next).toBe('4')
  })
})
