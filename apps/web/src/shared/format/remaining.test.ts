import { describe, expect, it } from 'vitest'
import { remainingUntil } from './remaining.ts'

const END = '2026-11-15T12:00:00.000Z'
const before = (milliseconds: number) => Date.parse(END) - milliseconds
const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('the remaining time', () => {
  it.each([
    [72 * HOUR, { unit: 'days', days: 3, hours: 0 }],
    [49 * HOUR, { unit: 'days', days: 2, hours: 1 }],
    [48 * HOUR - 1, { unit: 'days', days: 2, hours: 0 }],
    [47 * HOUR, { unit: 'hours', hours: 47, minutes: 0 }],
    [90 * MINUTE, { unit: 'hours', hours: 1, minutes: 30 }],
    [59 * MINUTE, { unit: 'minutes', minutes: 59 }],
    [1, { unit: 'minutes', minutes: 1 }],
    [0, { unit: 'minutes', minutes: 0 }],
    [-HOUR, { unit: 'minutes', minutes: 0 }],
  ])('%d ms before the end', (milliseconds, left) => {
    expect(remainingUntil(END, before(milliseconds))).toEqual(left)
  })
})
