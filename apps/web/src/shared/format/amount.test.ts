import { describe, expect, it } from 'vitest'
import { addAmounts, amountParts, formatAmount, formatWholeAmount, isZero, placesOf, valuePlaces } from './amount.ts'

describe('an amount', () => {
  it.each([
    ['0', '0.00'],
    ['5', '5.00'],
    ['1234.5', '1,234.50'],
    ['1234567.891', '1,234,567.891'],
    ['999999999.999999', '999,999,999.999999'],
  ])('%s USDT is shown as %s', (amount, shown) => {
    expect(formatAmount(amount, placesOf.USDT)).toBe(shown)
  })

  it('is cut off and never rounded up', () => {
    expect(formatAmount('0.999999999999999999', placesOf.BTN)).toBe('0.999999')
    expect(formatAmount('4812.069', valuePlaces)).toBe('4,812.06')
    expect(amountParts('0.999999999999999999', placesOf.BTN).cut).toBe(true)
    expect(amountParts('0.999999', placesOf.BTN).cut).toBe(false)
  })

  it('too small to be shown is not shown as zero', () => {
    expect(formatAmount('0.000000000000000001', placesOf.BTN)).toBe('<0.000001')
    expect(formatAmount('0.001', valuePlaces)).toBe('<0.01')
    expect(formatAmount('1.000000000000000001', placesOf.BTN)).toBe('1.00')
  })

  it('of bitcoin always has its eight decimals', () => {
    expect(formatAmount('0.0004', placesOf.BTC)).toBe('0.00040000')
  })

  it('has a whole part and a fraction', () => {
    expect(amountParts('1234.5', placesOf.USDT)).toEqual({ whole: '1,234', fraction: '.50', cut: false })
  })

  it('is zero only if every digit is zero', () => {
    expect(['0', '0.0', '0.01', '10'].map(isZero)).toEqual([true, true, false, false])
  })
})

describe('an amount that is paid', () => {
  it('is shown with all decimals and its symbol on the same line', () => {
    expect(formatWholeAmount('1234567.000000000000000001', 'BTN')).toBe('1,234,567.000000000000000001\u00a0BTN')
    expect(formatWholeAmount('250', 'USDT')).toBe('250\u00a0USDT')
  })

  it('and its fee are added exactly', () => {
    expect(addAmounts('250', '1')).toBe('251')
    expect(addAmounts('0.00049995', '0.00005')).toBe('0.00054995')
    expect(addAmounts('9007199254740993.5', '0.5')).toBe('9007199254740994')
    expect(addAmounts('0.000000000000000001', '100')).toBe('100.000000000000000001')
  })
})
