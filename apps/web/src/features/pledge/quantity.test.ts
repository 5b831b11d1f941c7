import { describe, expect, it } from 'vitest'
import { findMaxQuantity, parsePledgeQuantity } from './quantity.ts'

const bounds = { above: '10000', decimals: 18 }
const kindOf = (text: string) => parsePledgeQuantity(text, bounds).kind

describe('the quantity of a pledge', () => {
  it('is a whole number above the plan’s minimum', () => {
    expect(parsePledgeQuantity('10001', bounds)).toEqual({ kind: 'valid', whole: 10_001n })
    expect(kindOf('10000')).toBe('too-few')
    expect(kindOf('0')).toBe('too-few')
    expect(kindOf('10000.5')).toBe('not-whole')
    expect(kindOf('10001.0')).toBe('valid')
    expect(parsePledgeQuantity('10001', { above: '10001.5', decimals: 18 }).kind).toBe('too-few')
  })

  it('may have separators of thousands, because a quantity is a whole number and a comma cannot be a decimal point', () => {
    for (const text of ['10,001', '10 001', '１０００１', "10'001"])
      expect(parsePledgeQuantity(text, bounds)).toEqual({ kind: 'valid', whole: 10_001n })
    expect(kindOf('10.001')).toBe('not-whole')
  })

  it('is refused if it is not a number or has too many digits', () => {
    for (const text of ['ten thousand', '-20000', '1e5', '1'.repeat(19)]) expect(kindOf(text)).toBe('format')
    expect(kindOf('  ')).toBe('empty')
  })

  it('has as maximum the whole coins of the balance, or none if they are not enough', () => {
    expect(findMaxQuantity('132400.75', bounds)).toBe(132_400n)
    expect(findMaxQuantity('10000.999', bounds)).toBeNull()
    expect(findMaxQuantity('0', bounds)).toBeNull()
  })
})
