import { describe, expect, it } from 'vitest'
import {
  countReviewers,
  findBrokenLimit,
  findMaxAmount,
  formatUnits,
  isTooLittle,
  parseLimits,
  type TransferLimits,
} from './limits.ts'

const usdt = (more: Partial<Parameters<typeof parseLimits>[0]> = {}): TransferLimits =>
  parseLimits(
    {
      symbol: 'USDT',
      min: '10',
      max: '50000',
      fee: '1',
      available: '1210.5',
      quota: { left: '2250', total: '2500' },
      reviewAbove: '5000',
      decisionAbove: '20000',
      ...more,
    },
    6,
  )
const units = (whole: number) => BigInt(whole) * 1_000_000n

describe('the amount of a transfer', () => {
  it('cannot be any if the balance is below the least transfer with its fee', () => {
    expect(isTooLittle(usdt({ available: '10.999999' }))).toBe(true)
    expect(isTooLittle(usdt({ available: '11' }))).toBe(false)
  })

  it('is checked in the same order as by the pool: range, balance with the fee, quota', () => {
    const tight = usdt({ available: '60', quota: { left: '40', total: '100' } })
    expect(findBrokenLimit(tight, units(9))).toBe('range')
    expect(findBrokenLimit(tight, units(50_001))).toBe('range')
    expect(findBrokenLimit(tight, units(60))).toBe('balance')
    expect(findBrokenLimit(tight, units(59))).toBe('quota')
    expect(findBrokenLimit(tight, units(41))).toBe('quota')
    expect(findBrokenLimit(tight, units(40))).toBeNull()
  })

  it('may be exactly the minimum, the maximum, the available balance or the quota', () => {
    expect(findBrokenLimit(usdt(), units(10))).toBeNull()
    expect(
      findBrokenLimit(usdt({ available: '50001', quota: { left: '50000', total: '50000' } }), units(50_000)),
    ).toBeNull()
    expect(findBrokenLimit(usdt(), 1_209_500_000n)).toBeNull()
    expect(findBrokenLimit(usdt(), 1_209_500_001n)).toBe('balance')
  })

  it('needs no, one or two reviewers, and more of them only above a threshold', () => {
    expect([5_000, 5_001, 20_000, 20_001].map((size) => countReviewers(usdt(), units(size)))).toEqual([0, 1, 1, 2])
  })
})

describe('the largest amount that can be transferred', () => {
  it('is the smallest of the plan’s maximum, the balance without the fee, and the quota', () => {
    expect(formatUnits(usdt(), findMaxAmount(usdt()))).toBe('1209.5')
    expect(findMaxAmount(usdt({ quota: { left: '99.000001', total: '100' } }))).toBe(99_000_001n)
    expect(findMaxAmount(usdt({ available: '90000', quota: { left: '90000', total: '90000' } }))).toBe(units(50_000))
  })

  it('is never negative', () => {
    expect(findMaxAmount(usdt({ available: '0.5' }))).toBe(0n)
    expect(findMaxAmount(usdt({ available: '1' }))).toBe(0n)
    expect(findMaxAmount(usdt({ available: '0' }))).toBe(0n)
  })

  it('is exact to the smallest unit of 18 decimals', () => {
    const btn = parseLimits(
      {
        symbol: 'BTN',
        min: '1000',
        max: '5000000',
        fee: '100',
        available: '123456.000000000000000001',
        quota: { left: '5000000', total: '5000000' },
        reviewAbove: '500000',
        decisionAbove: '2000000',
      },
      18,
    )
    expect(formatUnits(btn, findMaxAmount(btn))).toBe('123356.000000000000000001')
  })
})
