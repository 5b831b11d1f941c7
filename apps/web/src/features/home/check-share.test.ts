import { describe, expect, it } from 'vitest'
import { isRightShare } from './check-share.ts'

const figures = { shared: '0.0025', effective: '20000', totalEffective: '60000', amount: '0.00083333', pledges: 1 }

describe('the share of a day', () => {
  it('is production × own ÷ all, up to one unit for each pledge and one', () => {
    expect(isRightShare(figures, 8)).toBe(true)
    expect(isRightShare({ ...figures, amount: '0.00083335' }, 8)).toBe(true)
    expect(isRightShare({ ...figures, amount: '0.00083336' }, 8)).toBe(false)
    expect(isRightShare({ ...figures, amount: '0.00083336', pledges: 2 }, 8)).toBe(true)
    expect(isRightShare({ ...figures, amount: '0.0008333' }, 8)).toBe(false)
  })

  it('is not confirmed if nobody had a pledge, or if an amount has more decimals than the token', () => {
    expect(isRightShare({ ...figures, totalEffective: '0' }, 8)).toBe(false)
    expect(isRightShare({ ...figures, amount: '0.000833333' }, 8)).toBe(false)
  })

  it('counts the fractions of an effective pledge', () => {
    const weighted = { ...figures, shared: '0.001', effective: '12501.25', totalEffective: '50005', amount: '0.00025' }
    expect(isRightShare(weighted, 8)).toBe(true)
    expect(isRightShare({ ...weighted, amount: '0.00024997' }, 8)).toBe(false)
  })
})
