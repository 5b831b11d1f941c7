import { describe, expect, it } from 'vitest'
import { describeDifference, measureDifference, observeBlock, timeReachedBy } from './clock-difference.ts'

const at = (text: string) => new Date(`2026-03-01T${text}Z`)
const MINUTE = 60_000

describe('the time of the chain', () => {
  it('is the latest that nodes of two origins have reached: one that lies or lags does not change it', () => {
    const honest = [
      { origin: 'one', time: at('12:00:12') },
      { origin: 'two', time: at('12:00:00') },
    ]
    expect(timeReachedBy(2, honest)).toEqual(at('12:00:00'))
    expect(timeReachedBy(2, [...honest, { origin: 'liar', time: at('23:00:00') }])).toEqual(at('12:00:12'))
    expect(timeReachedBy(2, [...honest, { origin: 'laggard', time: at('01:00:00') }])).toEqual(at('12:00:00'))
    expect(timeReachedBy(2, [{ origin: 'one', time: at('13:00:00') }, ...honest])).toEqual(at('12:00:00'))
  })

  it('is not known if too few origins answer', () => {
    const time = at('12:00:00')
    const same = [
      { origin: 'one', time },
      { origin: 'one', time },
    ]
    expect(timeReachedBy(2, same)).toBeNull()
    expect(timeReachedBy(1, same)).toEqual(time)
  })

  it('goes on by the clock of the process: a chain that stops later does not make the database look wrong', () => {
    const first = observeBlock(null, at('12:00:00'), 1_000)
    const again = observeBlock(first, at('12:00:00'), 500_000)
    expect(again).toBe(first)
    const hourLater = 1_000 + 60 * MINUTE
    expect(measureDifference(again, at('13:00:00'), hourLater)).toBe(0)
    expect(measureDifference(again, at('13:11:00'), hourLater)).toBe(11 * MINUTE)
    expect(measureDifference(again, at('12:50:00'), hourLater)).toBe(-10 * MINUTE)
  })
})

describe('the text about a difference', () => {
  const first = observeBlock(null, at('12:00:00'), 0)

  it('has both times', () => {
    const moved = observeBlock(first, at('12:00:12'), 12_000)
    expect(describeDifference(moved, at('14:00:12'), 120 * MINUTE)).toBe(
      "the database's clock is 120 minutes ahead of the chain: the database says 2026-03-01T14:00:12.000Z, the newest block is of 2026-03-01T12:00:12.000Z",
    )
    expect(describeDifference(moved, at('11:00:12'), -60 * MINUTE)).toMatch(/60 minutes behind the chain: .*11:00:12/)
  })

  it('says that the chain may stand still, as long as no newer block has come', () => {
    expect(describeDifference(first, at('14:00:00'), 120 * MINUTE)).toMatch(
      /^the chain stands still, or .* 120 minutes ahead: .*14:00:00.*12:00:00.*no newer block has come$/,
    )
  })
})
