import { describe, expect, it } from 'vitest'
import { btcText, effectivePledgeText } from './amount-text.ts'

describe('an amount that the pool reports or this browser computes', () => {
  it('is shown as it is, even if it is negative or impossibly large', () => {
    expect(btcText(571_404n, 8)).toBe('0.00571404\u00a0BTC')
    expect(btcText(-1n, 8)).toBe('−0.00000001\u00a0BTC')
    expect(btcText(-123_456_789_012n, 8)).toBe('−1,234.56789012\u00a0BTC')
    expect(btcText(10n ** 60n, 8)).toContain('BTC')
    expect(effectivePledgeText(150_015_000n)).toBe('15,001.5')
  })
})
