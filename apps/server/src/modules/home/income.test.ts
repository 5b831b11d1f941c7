import { dayOf, startOfDay } from '@lode/kernel'
import { describe, expect, it } from 'vitest'
import { computeRange, listBars } from './income.ts'

const day = (text: string) => dayOf(new Date(`${text}T00:00:00Z`))
const show = (one: ReturnType<typeof day>) => startOfDay(one).toISOString().slice(0, 10)
const today = day('2026-11-18')
const rangeOf = (...given: Parameters<typeof computeRange>) => {
  const { from, to, step } = computeRange(...given)
  return [show(from), show(to), step, listBars({ from, to, step }).length]
}

describe('the period of an income', () => {
  it('ends today and counts today', () => {
    expect(rangeOf('today', today, null)).toEqual(['2026-11-18', '2026-11-18', 'day', 1])
    expect(rangeOf('week', today, null)).toEqual(['2026-11-12', '2026-11-18', 'day', 7])
    expect(rangeOf('month', today, null)).toEqual(['2026-10-20', '2026-11-18', 'day', 30])
    expect(rangeOf('quarter', today, null)).toEqual(['2026-08-21', '2026-11-18', 'day', 90])
  })

  it('of a year is twelve whole calendar months', () => {
    expect(rangeOf('year', today, null)).toEqual(['2025-12-01', '2026-11-18', 'month', 12])
    expect(rangeOf('year', day('2028-02-29'), null)).toEqual(['2027-03-01', '2028-02-29', 'month', 12])
  })

  it('of all income begins with the first, by day while that is readable, else by month', () => {
    expect(rangeOf('all', today, null)).toEqual(['2026-11-18', '2026-11-18', 'day', 1])
    expect(rangeOf('all', today, day('2026-11-01'))).toEqual(['2026-11-01', '2026-11-18', 'day', 18])
    expect(rangeOf('all', today, day('2026-08-19'))).toEqual(['2026-08-19', '2026-11-18', 'day', 92])
    expect(rangeOf('all', today, day('2026-08-18'))).toEqual(['2026-08-18', '2026-11-18', 'month', 4])
  })

  it('has its first bar begin with the month, and each bar once', () => {
    const bars = listBars({ from: day('2026-08-18'), to: today, step: 'month' })
    expect(bars.map(show)).toEqual(['2026-08-01', '2026-09-01', '2026-10-01', '2026-11-01'])
  })
})
