import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mostFromBalance, partAt, placeOf, SLIDER_STEPS } from './parts.ts'

const units = fc.bigInt({ min: 0n, max: 10n ** 24n })
const place = fc.integer({ min: 0, max: SLIDER_STEPS })

describe('the part that comes from the balance', () => {
  it('is the whole price at the most, and never more than there is', () => {
    expect(mostFromBalance(200n, 80n)).toBe(80n)
    expect(mostFromBalance(200n, 500n)).toBe(200n)
    expect(mostFromBalance(200n, 0n)).toBe(0n)
  })

  it('goes in whole coins along the slider, from nothing to exactly the most', () => {
    expect(partAt(0, 200_000_000n, 6)).toBe(0n)
    expect(partAt(25, 200_000_000n, 6)).toBe(50_000_000n)
    expect(partAt(50, 80_370_000n, 6)).toBe(40_000_000n)
    expect(partAt(100, 80_370_001n, 6)).toBe(80_370_001n)
    expect(partAt(60, 900_000n, 6)).toBe(0n)
  })

  it('never leaves the bounds, and grows with the slider', () => {
    fc.assert(
      fc.property(units, place, place, (most, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)]
        const [less, more] = [partAt(low, most, 6), partAt(high, most, 6)]
        expect(less >= 0n && less <= more && more <= most).toBe(true)
      }),
    )
  })

  it('stands at a place of the slider, whatever was written', () => {
    fc.assert(
      fc.property(units, units, (part, most) => {
        const shown = placeOf(part, most)
        expect(shown >= 0 && shown <= SLIDER_STEPS).toBe(true)
        if (part >= most && most > 0n) expect(shown).toBe(SLIDER_STEPS)
      }),
    )
  })
})
