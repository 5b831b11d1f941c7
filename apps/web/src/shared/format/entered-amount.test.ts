import { formatAmount, units } from '@lode/kernel'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseEnteredAmount } from './entered-amount.ts'

const usdt = (text: string) => parseEnteredAmount('USDT', 6, text)

describe('an amount as people write it', () => {
  it.each([
    ['100', 100_000_000n],
    [' 100 ', 100_000_000n],
    ['0100', 100_000_000n],
    ['1.50', 1_500_000n],
    ['1,5', 1_500_000n],
    ['.5', 500_000n],
    ['0,000001', 1n],
    ['1 250.5', 1_250_500_000n],
    ['1\u00a0250', 1_250_000_000n],
    ["1'250", 1_250_000_000n],
    ['1,250.5', 1_250_500_000n],
    ['1,234,567', 1_234_567_000_000n],
    ['１２。５', 12_500_000n],
    ['１，５', 1_500_000n],
    ['0,125', 125_000n],
  ])('%j is accepted', (text, value) => {
    expect(usdt(text)).toEqual({ ok: true, value })
  })

  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['abc', 'not-a-number'],
    ['1e3', 'not-a-number'],
    ['-5', 'not-a-number'],
    ['+5', 'not-a-number'],
    ['.', 'not-a-number'],
    ['1.2.3', 'not-a-number'],
    ['1,23,456', 'not-a-number'],
    ['12.345,6', 'not-a-number'],
    ['0x10', 'not-a-number'],
    ['0', 'zero'],
    ['0.000', 'zero'],
    ['0.0000001', 'too-precise'],
    ['9'.repeat(39), 'too-large'],
    ['9'.repeat(60), 'not-a-number'],
  ])('%j is refused', (text, kind) => {
    expect(usdt(text)).toMatchObject({ ok: false, error: { kind } })
  })

  it('with an ambiguous comma is refused with both readings', () => {
    expect(usdt('1,234')).toEqual({ ok: false, error: { kind: 'ambiguous', whole: '1234', decimal: '1.234' } })
  })

  it('in canonical form is parsed exactly', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 27n), (value) => {
        expect(parseEnteredAmount('BTN', 18, formatAmount(units('BTN', value), 18))).toEqual({ ok: true, value })
      }),
    )
  })

  it('is never more than its digits without separators', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9., ']{1,20}$/), (text) => {
        const read = usdt(text)
        if (read.ok) expect(read.value <= BigInt(text.replace(/\D/g, '')) * 1_000_000n).toBe(true)
      }),
    )
  })
})
