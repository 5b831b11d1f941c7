import { describe, expect, it } from 'vitest'
import { createClaimTracker } from './claim-tracker.ts'

describe('a claim that may be a node’s mistake', () => {
  function twoMinutes() {
    const clock = { now: 0 }
    return { clock, belief: createClaimTracker({ times: 3, milliseconds: 120_000 }, () => clock.now) }
  }

  it('is not believed within two minutes, however often it is repeated', () => {
    const { clock, belief } = twoMinutes()
    for (; clock.now < 120_000; clock.now += 250) expect(belief.record('gone')).toBe(false)
    expect(belief.record('gone')).toBe(true)
  })

  it('is not believed the second time, however long after the first', () => {
    const { clock, belief } = twoMinutes()
    expect(belief.record('gone')).toBe(false)
    clock.now = 1_000_000
    expect(belief.record('gone')).toBe(false)
    expect(belief.record('gone')).toBe(true)
  })

  it('is counted from the start after a reset or after another claim', () => {
    const { clock, belief } = twoMinutes()
    belief.record('gone')
    belief.record('gone')
    clock.now = 120_000
    belief.reset()
    expect(belief.record('gone')).toBe(false)
    clock.now = 240_000
    expect(belief.record('other')).toBe(false)
    expect(belief.record('other')).toBe(false)
    clock.now = 360_000
    expect(belief.record('other')).toBe(true)
  })
})
