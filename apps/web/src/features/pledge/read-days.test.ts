import { describe, expect, it } from 'vitest'
import { type Lists, readDays } from './read-days.ts'

type Day = Awaited<ReturnType<Lists['table']>>['items'][number]
type Line = Awaited<ReturnType<Lists['lines']>>['items'][number]
type Record_ = Awaited<ReturnType<Lists['records']>>['items'][number]

/** Serves a list in pages of ten, newest first. */
function paged<Item extends object>(name: string, asked: string[], all: readonly Item[]) {
  return async ({ cursor = '0' }: { readonly cursor?: string }) => {
    asked.push(`${name} ${cursor}`)
    const from = Number(cursor)
    return { items: all.slice(from, from + 10), next: from + 10 < all.length ? String(from + 10) : null }
  }
}

function pool({ days = 100, startDay = 90, endDay = 200, lines = 10 } = {}) {
  const asked: string[] = []
  const newestFirst = Array.from({ length: days }, (_, back) => ({ day: days - 1 - back }))
  const record = { id: 'one', amount: '10001', termWeight: 10_000, startDay, endDay }
  const lists: Lists = {
    table: paged('table', asked, newestFirst as Day[]),
    lines: paged('lines', asked, newestFirst.slice(0, lines) as Line[]),
    records: paged('records', asked, [record] as Record_[]),
  }
  return { asked, lists }
}

describe('what is read to reckon days again', () => {
  it('is the table first, and then what may be newer, back to the day before the oldest pledge that counts', async () => {
    const { asked, lists } = pool({ startDay: 65 })
    const read = await readDays(5, lists)
    expect(read.shown).toBe(5)
    expect(read.days.at(-1)?.day).toBeLessThanOrEqual(64)
    expect(read.first).toBeNull()
    expect(asked).toEqual(['table 0', 'records 0', 'table 10', 'table 20', 'table 30', 'lines 0'])
  })

  it('goes no further back for what ended before the days that are shown', async () => {
    const { asked, lists } = pool({ startDay: 5, endDay: 30 })
    await readDays(5, lists)
    expect(asked).toEqual(['table 0', 'records 0', 'lines 0'])
  })

  it('knows the first day of all when it has come to it', async () => {
    const { lists } = pool({ days: 8, startDay: 2 })
    expect(await readDays(30, lists)).toMatchObject({ shown: 8, first: 0 })
    const { lists: none } = pool({ days: 0 })
    expect(await readDays(30, none)).toMatchObject({ shown: 0, days: [], first: null })
  })

  it('reads the lines of all days that are shown', async () => {
    const { lists } = pool({ startDay: 40, lines: 60 })
    const { lines } = await readDays(30, lists)
    expect(lines.at(-1)?.day).toBeLessThanOrEqual(70)
  })
})
