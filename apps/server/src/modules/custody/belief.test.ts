import { describe, expect, it } from 'vitest'
import { createBelief } from './belief.ts'

describe('what may only look so', () => {
  function twoMinutes() {
    const clock = { now: 0 }
    return { clock, belief: createBelief({ times: 3, milliseconds: 120_000 }, () => clock.now) }
  }

  it('is not believed within two minutes, however often it is heard', () => {
    const { clock, belief } = twoMinutes()
    for (; clock.now < 120_000; clock.now += 250) expect(belief.hear('gone')).toBe(false)
    expect(belief.hear('gone')).toBe(true)
  })

  it('is not believed the second time, however long after the first', () => {
    const { clock, belief } = twoMinutes()
    expect(belief.hear('gone')).toBe(false)
    clock.now = 1_000_000
    expect(belief.hear('gone')).toBe(false)
    expect(belief.hear('gone')).toBe(true)
  })

  it('begins anew where it was contradicted, or is something else', () => {
    const { clock, belief } = twoMinutes()
    belief.hear('gone')
    belief.hear('gone')
    clock.now = 120_000
    belief.contradict()
    expect(belief.hear('gone')).toBe(false)
    clock.now = 240_000
    expect(belief.hear('other')).toBe(false)
    expect(belief.hear('other')).toBe(false)
    clock.now = 360_000
    expect(belief.hear('other')).toBe(true)
  })
})
