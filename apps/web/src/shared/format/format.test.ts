import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { shortAddress } from './address.ts'
import { formatInvite } from './invite.ts'
import { formatDate, formatDay, formatMoment } from './moment.ts'

it('an address is shown by its two ends', () => {
  expect(shortAddress('0x8A3f5C0b1d9E42F7aa61c0B8d5E4f3927160e21C')).toBe('0x8A3f…e21C')
})

it('an invitation code is shown in two groups', () => {
  expect(formatInvite('7QK2M9X4')).toBe('7QK2-M9X4')
})

describe('a moment', () => {
  const before = process.env.TZ
  beforeEach(() => {
    process.env.TZ = 'Asia/Taipei'
  })
  afterEach(() => {
    process.env.TZ = before
  })

  it.each([
    ['en', '15 Nov 2026, 00:14', '15 Nov 2026'],
    ['zh_tw', '2026年11月15日 00:14', '2026年11月15日'],
    ['zh_cn', '2026年11月15日 00:14', '2026年11月15日'],
  ] as const)("is shown in the reader's time zone in %s", (language, moment, date) => {
    expect(formatMoment('2026-11-14T16:14:09.000Z', language)).toBe(moment)
    expect(formatDate('2026-11-14T16:14:09.000Z', language)).toBe(date)
  })

  it('that is a UTC day is the same day for every reader', () => {
    expect(formatDay(20_771, 'en')).toBe('14 Nov 2026')
    expect(formatDay(20_771, 'zh_cn')).toBe('2026年11月14日')
    expect(formatDay(20_771, 'en', 'short')).toBe('14 Nov')
  })

  it('is shown in the new time zone when the reader travels', () => {
    expect(formatMoment('2026-11-14T16:14:09.000Z', 'en')).toBe('15 Nov 2026, 00:14')
    process.env.TZ = 'UTC'
    expect(formatMoment('2026-11-14T16:14:09.000Z', 'en')).toBe('14 Nov 2026, 16:14')
  })
})
