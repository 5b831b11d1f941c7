import { describe, expect, it } from 'vitest'
import { canonical, judgeAmount, type Limits, limitsOf, mostOf, reviewersOf } from './limits.ts'

const usdt = (more: Partial<Parameters<typeof limitsOf>[0]> = {}): Limits =>
  limitsOf(
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

describe('an amount to be transferred', () => {
  it('is judged in the order of the pool: range, balance with the fee, quota', () => {
    const tight = usdt({ available: '60', quota: { left: '40', total: '100' } })
    expect(judgeAmount(tight, units(9))).toBe('range')
    expect(judgeAmount(tight, units(50_001))).toBe('range')
    expect(judgeAmount(tight, units(60))).toBe('balance')
    expect(judgeAmount(tight, units(59))).toBe('quota')
    expect(judgeAmount(tight, units(41))).toBe('quota')
    expect(judgeAmount(tight, units(40))).toBeNull()
  })

  it('may be exactly the least, the most, all that is available and all of the quota', () => {
    expect(judgeAmount(usdt(), units(10))).toBeNull()
    expect(
      judgeAmount(usdt({ available: '50001', quota: { left: '50000', total: '50000' } }), units(50_000)),
    ).toBeNull()
    expect(judgeAmount(usdt(), 1_209_500_000n)).toBeNull()
    expect(judgeAmount(usdt(), 1_209_500_001n)).toBe('balance')
  })

  it('is looked at by nobody, one or two, above the sizes and not at them', () => {
    expect([5_000, 5_001, 20_000, 20_001].map((size) => reviewersOf(usdt(), units(size)))).toEqual([0, 1, 1, 2])
  })
})

describe('the most that can leave', () => {
  it('is the least of the plan’s maximum, the balance without the fee, and the quota', () => {
    expect(canonical(usdt(), mostOf(usdt()))).toBe('1209.5')
    expect(mostOf(usdt({ quota: { left: '99.000001', total: '100' } }))).toBe(99_000_001n)
    expect(mostOf(usdt({ available: '90000', quota: { left: '90000', total: '90000' } }))).toBe(units(50_000))
  })

  it('is never less than nothing', () => {
    expect(mostOf(usdt({ available: '0.5' }))).toBe(0n)
    expect(mostOf(usdt({ available: '1' }))).toBe(0n)
    expect(mostOf(usdt({ available: '0' }))).toBe(0n)
  })

  it('is exact to the smallest unit of 18 decimals', () => {
    const btn = limitsOf(
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
    expect(canonical(btn, mostOf(btn))).toBe('123356.000000000000000001')
  })
})
