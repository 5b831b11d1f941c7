import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountAtPosition, maxFromBalance, SLIDER_STEPS, sliderPosition } from './balance-slider.ts'

const units = fc.bigInt({ min: 0n, max: 10n ** 24n })
const place = fc.integer({ min: 0, max: SLIDER_STEPS })

describe('the part of a price that is paid from the balance', () => {
  it('is at most the price, and at most the available balance', () => {
    expect(maxFromBalance(200n, 80n)).toBe(80n)
    expect(maxFromBalance(200n, 500n)).toBe(200n)
    expect(maxFromBalance(200n, 0n)).toBe(0n)
  })

  it('moves with the slider in whole coins, from zero to exactly the maximum', () => {
    expect(amountAtPosition(0, 200_000_000n, 6)).toBe(0n)
    expect(amountAtPosition(25, 200_000_000n, 6)).toBe(50_000_000n)
    expect(amountAtPosition(50, 80_370_000n, 6)).toBe(40_000_000n)
    expect(amountAtPosition(100, 80_370_001n, 6)).toBe(80_370_001n)
    expect(amountAtPosition(60, 900_000n, 6)).toBe(0n)
  })

  it('stays between zero and the maximum, and never decreases when the slider moves up', () => {
    fc.assert(
      fc.property(units, place, place, (most, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)]
        const [less, more] = [amountAtPosition(low, most, 6), amountAtPosition(high, most, 6)]
        expect(less >= 0n && less <= more && more <= most).toBe(true)
      }),
    )
  })

  it('has a valid slider position for every typed amount', () => {
    fc.assert(
      fc.property(units, units, (part, most) => {
        const shown = sliderPosition(part, most)
        expect(shown >= 0 && shown <= SLIDER_STEPS).toBe(true)
        if (part >= most && most > 0n) expect(shown).toBe(SLIDER_STEPS)
      }),
    )
  })
})
