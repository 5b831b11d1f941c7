import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, dayNumber, dayOf, startOfDay } from './day.ts'

describe('UTC days', () => {
  it('begin at midnight UTC, whatever the time zone of the time is', () => {
    expect(dayOf(new Date('1970-01-01T00:00:00Z'))).toBe(0)
    expect(dayOf(new Date('2026-11-14T23:59:59.999Z'))).toBe(20_771)
    expect(dayOf(new Date('2026-11-15T00:00:00Z'))).toBe(20_772)
    expect(dayOf(new Date('2026-11-15T07:59:59+08:00'))).toBe(20_771)
    expect(dayOf(new Date('1969-12-31T23:59:59Z'))).toBe(-1)
  })

  it('contain every moment from their start to the next start', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }),
        (time) => {
          const day = dayOf(time)
          expect(startOfDay(day) <= time && time < startOfDay(addDays(day, 1))).toBe(true)
        },
      ),
    )
  })

  it('are whole numbers', () => {
    expect(() => dayNumber(1.5)).toThrow(RangeError)
    expect(() => dayNumber(Number.NaN)).toThrow(RangeError)
    expect(() => dayOf(new Date('not a date'))).toThrow(RangeError)
  })
})
