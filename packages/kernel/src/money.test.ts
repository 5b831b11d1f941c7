import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  add,
  compare,
  formatAmount,
  MAX_UNITS,
  minNotNegative,
  mulDivFloor,
  parseAmount,
  subtract,
  type Units,
  units,
} from './money.ts'

const usdt = (value: bigint) => units('USDT', value)
const anyUnits = fc.bigInt({ min: 0n, max: MAX_UNITS }).map(usdt)
const smallUnits = fc.bigInt({ min: 0n, max: MAX_UNITS / 2n }).map(usdt)
const anyDecimals = fc.integer({ min: 0, max: 18 })

/** Spellings that a careless parser, or Number(), would accept as an amount. */
const hostile = [
  ['', ' ', '1 ', ' 1', '\t1', '1\n', '1\u00a0', '\ufeff1', '1\u0000'],
  ['1e18', '1E18', '1e-2', '0x10', '0b1', '0o7', '1n', '1_000'],
  ['-0', '-1', '+1', '--1', '−1', '(1)'],
  ['00', '007', '00.1', '01', '1.0', '1.50', '0.0', '.5', '5.', '.', '1..2', '1.2.3'],
  ['1,5', '1,000', '1 000', "1'000", '1.000,00'],
  ['１２', '１', '٣', '١٢٣', '१', '一', '²', '1²', '𝟏'],
  ['NaN', 'Infinity', '-Infinity', 'null', 'undefined', 'true', '{}', '[]', '0/0', '1/2', '50%', '$1'],
  ['9'.repeat(100), `1${'0'.repeat(39)}`, `0.${'1'.repeat(100)}`, `1.${'0'.repeat(99)}1`],
].flat()

describe('parsing an amount', () => {
  it.each(hostile)('refuses %j', (text) => {
    expect(parseAmount('USDT', 6, text)).toEqual({ ok: false, error: 'not-canonical' })
  })

  it('refuses more decimals than the asset has', () => {
    expect(parseAmount('BTC', 8, '0.000000001')).toEqual({ ok: false, error: 'too-precise' })
    expect(parseAmount('BTC', 8, '0.00000001')).toEqual({ ok: true, value: 1n })
  })

  it('accepts the largest amount and refuses a larger one', () => {
    expect(parseAmount('BTN', 0, MAX_UNITS.toString())).toEqual({ ok: true, value: MAX_UNITS })
    expect(parseAmount('BTN', 0, (MAX_UNITS + 1n).toString())).toEqual({ ok: false, error: 'too-large' })
  })

  it('accepts only the canonical spelling of an amount', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.+-eE, ') }), anyDecimals, (text, decimals) => {
        const amount = parseAmount('USDT', decimals, text)
        return !amount.ok || formatAmount(amount.value, decimals) === text
      }),
      { numRuns: 2_000 },
    )
  })

  it('restores every amount that was formatted', () => {
    fc.assert(
      fc.property(anyUnits, anyDecimals, (amount, decimals) => {
        expect(parseAmount('USDT', decimals, formatAmount(amount, decimals))).toEqual({ ok: true, value: amount })
      }),
    )
  })

  it('accepts ordinary amounts', () => {
    expect(parseAmount('USDT', 6, '0')).toEqual({ ok: true, value: 0n })
    expect(parseAmount('USDT', 6, '4812.06')).toEqual({ ok: true, value: 4_812_060_000n })
    expect(formatAmount(usdt(4_812_060_000n), 6)).toBe('4812.06')
    expect(formatAmount(usdt(1n), 18)).toBe('0.000000000000000001')
  })
})

describe('arithmetic with amounts', () => {
  it('adds and subtracts without loss', () => {
    fc.assert(
      fc.property(smallUnits, smallUnits, (left, right) => {
        expect(subtract(add(left, right), right)).toBe(left)
        expect(add(left, right)).toBe(add(right, left))
      }),
    )
  })

  it('throws if the result would be negative or above the largest amount', () => {
    expect(() => subtract(usdt(1n), usdt(2n))).toThrow(RangeError)
    expect(() => add(usdt(MAX_UNITS), usdt(1n))).toThrow(RangeError)
    expect(() => units('USDT', -1n)).toThrow(RangeError)
    expect(() => units('USDT', MAX_UNITS + 1n)).toThrow(RangeError)
    expect(() => mulDivFloor(usdt(1n), 1n, 0n)).toThrow('the denominator must be positive')
    expect(() => mulDivFloor(usdt(1n), 1n, -1n)).toThrow('the denominator must be positive')
    expect(() => mulDivFloor(usdt(1n), -1n, 1n)).toThrow(RangeError)
    expect(() => mulDivFloor(usdt(MAX_UNITS), 2n, 1n)).toThrow(RangeError)
  })

  it('allows results of exactly zero and of exactly the largest amount', () => {
    expect(MAX_UNITS).toBe(340282366920938463463374607431768211455n)
    expect(units('USDT', MAX_UNITS)).toBe(MAX_UNITS)
    expect(add(usdt(MAX_UNITS - 1n), usdt(1n))).toBe(MAX_UNITS)
    expect(subtract(usdt(2n), usdt(2n))).toBe(0n)
    expect(mulDivFloor(usdt(MAX_UNITS), 1n, 1n)).toBe(MAX_UNITS)
    expect(mulDivFloor(usdt(5n), 0n, 1n)).toBe(0n)
    expect(mulDivFloor(usdt(5n), 3n, 4n)).toBe(3n)
  })

  it('gives shares that add up to at most the whole, and to less than one unit a share below it', () => {
    const parts = fc.array(fc.bigInt({ min: 0n, max: 10_000n }), { minLength: 1, maxLength: 9 })
    fc.assert(
      fc.property(anyUnits, parts, (amount, weights) => {
        const total = weights.reduce((sum, weight) => sum + weight, 0n)
        fc.pre(total > 0n)
        const shared = weights.reduce((sum, weight) => sum + mulDivFloor(amount, weight, total), 0n)
        expect(shared <= amount && amount - shared < BigInt(weights.length)).toBe(true)
      }),
    )
  })

  it('compares amounts by their value', () => {
    fc.assert(
      fc.property(anyUnits, anyUnits, (left, right) => compare(left, right) === Math.sign(Number(left - right))),
    )
    expect([compare(usdt(1n), usdt(2n)), compare(usdt(2n), usdt(2n)), compare(usdt(3n), usdt(2n))]).toEqual([-1, 0, 1])
  })

  it('does not compile if two assets are mixed', () => {
    const dollars: Units<'USDT'> = usdt(1n)
    // @ts-expect-error bitcoin is not dollars
    add(dollars, units('BTC', 1n))
    // @ts-expect-error a bare bigint is no amount
    const bare: Units<'USDT'> = 1n
    expect(bare).toBe(1n)
  })
})

describe('the smallest of several numbers', () => {
  it('leaves out what is not given, and is never below zero', () => {
    expect([minNotNegative(7n, undefined, 3n, 5n), minNotNegative(2n, -1n), minNotNegative(undefined)]).toEqual([
      3n,
      0n,
      0n,
    ])
  })
})
