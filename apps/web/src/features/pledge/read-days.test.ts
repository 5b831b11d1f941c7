import { describe, expect, it } from 'vitest'
import { type DayLists, readDays } from './read-days.ts'

type Day = Awaited<ReturnType<DayLists['table']>>['items'][number]
type Line = Awaited<ReturnType<DayLists['lines']>>['items'][number]
type PledgeRecord = Awaited<ReturnType<DayLists['records']>>['items'][number]

/** Serves a list in pages of ten, newest first. */
function paged<Item extends object>(name: string, requests: string[], all: readonly Item[]) {
  return async ({ cursor = '0' }: { readonly cursor?: string }) => {
    requests.push(`${name} ${cursor}`)
    const from = Number(cursor)
    return { items: all.slice(from, from + 10), next: from + 10 < all.length ? String(from + 10) : null }
  }
}

function createPool({ days = 100, startDay = 90, endDay = 200, lines = 10 } = {}) {
  const asked: string[] = []
  const newestFirst = Array.from({ length: days }, (_, back) => ({ day: days - 1 - back }))
  const record = { id: 'one', amount: '10001', termWeight: 10_000, startDay, endDay }
  const lists: DayLists = {
    table: paged('table', asked, newestFirst as Day[]),
    lines: paged('lines', asked, newestFirst.slice(0, lines) as Line[]),
    records: paged('records', asked, [record] as PledgeRecord[]),
  }
  return { asked, lists }
}

describe('reading the days to recompute them', () => {
  it('reads the table first and then the lists that may be newer, back to the day before the oldest pledge that counts', async () => {
    const { asked, lists } = createPool({ startDay: 65 })
    const read = await readDays(5, lists)
    expect(read.shown).toBe(5)
    expect(read.days.at(-1)?.day).toBeLessThanOrEqual(64)
    expect(read.first).toBeNull()
    expect(asked).toEqual(['table 0', 'records 0', 'table 10', 'table 20', 'table 30', 'lines 0'])
  })

  it('reads no older days for pledges that ended before the shown days', async () => {
    const { asked, lists } = createPool({ startDay: 5, endDay: 30 })
    await readDays(5, lists)
    expect(asked).toEqual(['table 0', 'records 0', 'lines 0'])
  })

  it('reports the pool’s first day once the table has been read down to it', async () => {
    const { lists } = createPool({ days: 8, startDay: 2 })
    expect(await readDays(30, lists)).toMatchObject({ shown: 8, first: 0 })
    const { lists: none } = createPool({ days: 0 })
    expect(await readDays(30, none)).toMatchObject({ shown: 0, days: [], first: null })
  })

  it('reads the member’s lines of all shown days', async () => {
    const { lists } = createPool({ startDay: 40, lines: 60 })
    const { lines } = await readDays(30, lists)
    expect(lines.at(-1)?.day).toBeLessThanOrEqual(70)
  })
})
