import { describe, expect, it } from 'vitest'
import { type LogPage, refreshedPages } from './refreshed-pages.ts'

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
})
const page = (ids: string, next: string | null) => ({ lines: Array.from(ids, (id) => line(id)), next })
const known = { pages: [page('edc', '3'), page('ba', null)], pageParams: [null, '3'] }
const shown = ({ pages }: { pages: LogPage[] }) =>
  pages.map(({ lines }) => lines.map(({ id }) => id).join('')).join('|')

describe('a log whose newest part is read again', () => {
  it('gains what is new at its head and keeps what lies below', () => {
    const refreshed = refreshedPages(page('gfed', '4'), known)
    expect(shown(refreshed)).toBe('gfed|cba')
    expect(refreshed.pages.at(-1)?.next).toBeNull()
    expect(refreshed.pageParams).toEqual([null, '4'])
  })

  it('takes over how its lines stand now', () => {
    const before = { pages: [{ lines: [line('b', 'confirming'), line('a')], next: null }], pageParams: [null] }
    expect(refreshedPages(page('ba', null), before).pages[0]?.lines[0]?.status).toBe('confirmed')
  })

  it('loses a deposit that the chain took back', () => {
    expect(shown(refreshedPages(page('dc', '3'), known))).toBe('dc|ba')
  })

  it('begins anew where so much is new that lines between are missing', () => {
    const refreshed = refreshedPages(page('zyx', '24'), known)
    expect(shown(refreshed)).toBe('zyx')
    expect(refreshed.pages.at(-1)?.next).toBe('24')
  })

  it('ends where the new part ends, if that is all there is', () => {
    expect(shown(refreshedPages(page('a', null), known))).toBe('a')
    expect(shown(refreshedPages({ lines: [], next: null }, known))).toBe('')
  })

  it('meets each line once, however often it is read', () => {
    let pages = known
    for (const ids of ['fed', 'gfe', 'hgf']) pages = { ...known, ...refreshedPages(page(ids, '1'), pages) }
    expect(shown(pages)).toBe('hgf|edcba')
  })
})
