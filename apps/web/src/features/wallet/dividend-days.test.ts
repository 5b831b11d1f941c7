import { describe, expect, it } from 'vitest'
import { type DividendHistory, findDividendDays } from './dividend-days.ts'

const time = (day: number, clock = '12:00:00') => `2026-11-${String(day).padStart(2, '0')}T${clock}.000Z`
/** Day 5 is closed on the 6th at noon, and so on. */
const closed = (from: number, to: number, next: string | null = null) => ({
  items: Array.from({ length: to - from + 1 }, (_, back) => ({ day: to - back, closedAt: time(to - back + 1) })),
  next,
})
const pledge = (id: string, startDay: number, endDay: number, settledAt: string | null = null) => ({
  id,
  startDay,
  endDay,
  settledAt,
})
const collected = (name: string, at: string) => ({ id: `pointReward:${name}`, at })
const whole = <Item>(...items: Item[]) => ({ items, next: null })

const second = collected('second', time(14, '15:00:00'))
const first = collected('first', time(9, '15:00:00'))
const history: DividendHistory = {
  lines: whole(second, first),
  pledges: whole(pledge('a', 6, 36)),
  closed: closed(1, 16),
}

describe('the days of a dividend', () => {
  it('are those closed since the previous collection, and the first collection begins with the pledge', () => {
    expect(findDividendDays(first, history)).toEqual({ first: 6, last: 8 })
    expect(findDividendDays(second, history)).toEqual({ first: 9, last: 13 })
  })

  it('of an ended pledge are its own last days, and are not counted again', () => {
    const rest = collected('a', time(14, '12:00:01'))
    const pledges = whole(pledge('b', 10, 40), pledge('a', 6, 12, rest.at))
    const lines = whole(second, rest, first)
    expect(findDividendDays(rest, { ...history, lines, pledges })).toEqual({ first: 9, last: 11 })
    expect(findDividendDays(second, { ...history, lines, pledges })).toEqual({ first: 10, last: 13 })
  })

  it('are unknown if a day was closed at the time of one of the two payments', () => {
    for (const clock of ['11:59:58', '12:00:02']) {
      const at = collected('first', time(9, clock))
      expect(findDividendDays(at, { ...history, lines: whole(second, at) }), clock).toBeNull()
      expect(findDividendDays(second, { ...history, lines: whole(second, at) }), clock).toBeNull()
    }
  })

  it('are unknown if the loaded history is too short', () => {
    expect(findDividendDays(second, { ...history, closed: closed(10, 16, 'more') })).toBeNull()
    expect(findDividendDays(second, { ...history, closed: closed(8, 16, 'more') })).toEqual({ first: 9, last: 13 })
    expect(findDividendDays(second, { ...history, lines: { items: [second], next: 'more' } })).toBeNull()
    expect(findDividendDays(second, { ...history, lines: whole(first) })).toBeNull()
    expect(findDividendDays(second, { ...history, pledges: { ...history.pledges, next: 'more' } })).toBeNull()
  })
})
