import { describe, expect, it } from 'vitest'
import { formatCountdown, poolNow } from './countdown.ts'

describe('the countdown to the next production', () => {
  it('shows hours, minutes and seconds, and stops at zero', () => {
    expect(formatCountdown(((6 * 60 + 14) * 60 + 9) * 1_000)).toBe('06:14:09')
    expect(formatCountdown(36 * 3_600_000)).toBe('36:00:00')
    expect(formatCountdown(1)).toBe('00:00:01')
    expect(formatCountdown(0)).toBe('00:00:00')
    expect(formatCountdown(-5_000)).toBe('00:00:00')
  })

  it('follows the pool’s clock, even if the browser’s clock is wrong', () => {
    const answered = { at: '2026-11-15T05:45:51.000Z', updatedAt: 1_000_000 }
    expect(new Date(poolNow(answered, 1_000_000 + 9_000)).toISOString()).toBe('2026-11-15T05:46:00.000Z')
    expect(new Date(poolNow(answered, 999_000)).toISOString()).toBe('2026-11-15T05:45:51.000Z')
  })
})
