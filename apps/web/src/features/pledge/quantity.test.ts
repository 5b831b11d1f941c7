import { describe, expect, it } from 'vitest'
import { mostOf, quantityOf } from './quantity.ts'

const bounds = { above: '10000', decimals: 18 }
const kindOf = (text: string) => quantityOf(text, bounds).kind

describe('the quantity of a pledge', () => {
  it('is whole, and more than the plan says', () => {
    expect(quantityOf('10001', bounds)).toEqual({ kind: 'taken', whole: 10_001n })
    expect(kindOf('10000')).toBe('too-few')
    expect(kindOf('0')).toBe('too-few')
    expect(kindOf('10000.5')).toBe('not-whole')
    expect(kindOf('10001.0')).toBe('taken')
    expect(quantityOf('10001', { above: '10001.5', decimals: 18 }).kind).toBe('too-few')
  })

  it('is read with thousands apart, as it is shown: of whole coins a comma can mean nothing else', () => {
    for (const text of ['10,001', '10 001', '１０００１', "10'001"])
      expect(quantityOf(text, bounds)).toEqual({ kind: 'taken', whole: 10_001n })
    expect(kindOf('10.001')).toBe('not-whole')
  })

  it('is no quantity where it is no number, or has more digits than there can be coins', () => {
    for (const text of ['ten thousand', '-20000', '1e5', '1'.repeat(19)]) expect(kindOf(text)).toBe('format')
    expect(kindOf('  ')).toBe('empty')
  })

  it('is at most all whole coins of the balance, where they are enough', () => {
    expect(mostOf('132400.75', bounds)).toBe(132_400n)
    expect(mostOf('10000.999', bounds)).toBeNull()
    expect(mostOf('0', bounds)).toBeNull()
  })
})
