import { describe, expect, it } from 'vitest'
import { btcText, effectiveText } from './told-amounts.ts'

describe('an amount that is told or reckoned', () => {
  it('is shown whatever it is, also less than nothing and more than there can be', () => {
    expect(btcText(571_404n, 8)).toBe('0.00571404\u00a0BTC')
    expect(btcText(-1n, 8)).toBe('−0.00000001\u00a0BTC')
    expect(btcText(-123_456_789_012n, 8)).toBe('−1,234.56789012\u00a0BTC')
    expect(btcText(10n ** 60n, 8)).toContain('BTC')
    expect(effectiveText(150_015_000n)).toBe('15,001.5')
  })
})
