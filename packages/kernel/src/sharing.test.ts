import { describe, expect, it } from 'vitest'
import { entitled, fraction, NO_SHARES, SHARE_SCALE, shareOut } from './sharing.ts'

const none = { started: 0n, ended: 0n, freed: 0n }

describe('sharing out', () => {
  it('carries the remainder of a division over to the next round', () => {
    const three = shareOut(NO_SHARES, { ...none, started: 3n }, 1n)
    expect([three.quotient, three.remainder]).toEqual([SHARE_SCALE / 3n, 1n])
    const next = shareOut(three, none, 1n)
    expect([next.remainder, next.perWeight * 3n + next.remainder]).toEqual([2n, 2n * SHARE_SCALE])
  })

  it('shares nothing out if no weight takes part, and keeps the remainder', () => {
    const before = { weight: 2n, perWeight: 7n, remainder: 1n }
    expect(shareOut(before, { started: 0n, ended: 2n, freed: 4n }, 9n)).toEqual({
      weight: 0n,
      perWeight: 7n,
      remainder: 5n,
      quotient: 0n,
    })
  })

  it('throws if more weight ends than takes part, or if an amount is negative', () => {
    expect(() => shareOut(NO_SHARES, { ...none, ended: 1n }, 0n)).toThrow(RangeError)
    expect(() => shareOut(NO_SHARES, { ...none, started: 1n }, -1n)).toThrow(RangeError)
    expect(() => shareOut(NO_SHARES, { ...none, started: 1n, freed: -1n }, 1n)).toThrow(RangeError)
  })

  it('shares out nothing but the remainder on a day without an amount', () => {
    const before = { weight: 2n, perWeight: 7n, remainder: 1n }
    expect(shareOut(before, { ...none, freed: 4n }, 0n)).toEqual({
      weight: 2n,
      perWeight: 9n,
      remainder: 1n,
      quotient: 2n,
    })
  })

  it('rounds the earnings of a weight down to whole units', () => {
    const span = { weight: 2n, from: SHARE_SCALE / 3n, to: SHARE_SCALE }
    expect([entitled(span), fraction(span)]).toEqual([1n, 2n * (SHARE_SCALE - SHARE_SCALE / 3n) - SHARE_SCALE])
  })
})
