import { describe, expect, it } from 'vitest'
import { completePeriod, dayNumberOf, listMonths, periodOfMonth } from './period.ts'

describe('a period', () => {
  it('can be one of the last 24 months, this one first', () => {
    const months = listMonths(Date.parse('2026-01-31T23:59:59Z'))
    expect(months.slice(0, 3).map(({ key }) => key)).toEqual(['2026-01', '2025-12', '2025-11'])
    expect(months).toHaveLength(24)
    expect(months[0]?.first).toBe(dayNumberOf('2026-01-01'))
  })

  it('can be no month before the registration, and always this one', () => {
    const keysSince = (since: string) =>
      listMonths(Date.parse('2026-01-31T23:59:59Z'), Date.parse(since)).map(({ key }) => key)
    expect(keysSince('2025-11-30T23:59:59Z')).toEqual(['2026-01', '2025-12', '2025-11'])
    expect(keysSince('2026-01-31T00:00:00Z')).toEqual(['2026-01'])
    expect(keysSince('2026-02-01T00:00:00Z'), 'the clock of this device is late').toEqual(['2026-01'])
    expect(keysSince('2020-01-01T00:00:00Z')).toHaveLength(24)
  })

  it('of a month has all its days', () => {
    expect(periodOfMonth('2026-11')).toEqual({ from: '2026-11-01', to: '2026-11-30' })
    expect(periodOfMonth('2026-12')).toEqual({ from: '2026-12-01', to: '2026-12-31' })
    expect(periodOfMonth('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
  })

  it('needs both days, in order', () => {
    expect(completePeriod({ from: '2026-11-01', to: '' })).toBe('incomplete')
    expect(completePeriod({ from: '', to: '2026-11-01' })).toBe('incomplete')
    expect(completePeriod({ from: '2026-11-02', to: '2026-11-01' })).toBe('incomplete')
    expect(completePeriod({ from: '2026-11-01', to: '2026-11-01' })).toEqual({ from: '2026-11-01', to: '2026-11-01' })
  })

  it('is incomplete while a year is typed', () => {
    for (const year of ['0002', '0020', '0202', '20260'])
      expect(completePeriod({ from: `${year}-11-01`, to: '2026-11-01' }), year).toBe('incomplete')
    expect(completePeriod({ from: '2026-11-01', to: '0020-11-02' })).toBe('incomplete')
  })
})
