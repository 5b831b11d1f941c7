import { describe, expect, it } from 'vitest'
import { delaysAfterClose, type NextDay, nextDayInterval } from './use-next-day.ts'

const CLOSES = Date.parse('2026-11-16T12:00:00.000Z')
const CLOSED = CLOSES + 15 * 60_000

/** What the pool answers at a moment: it closes the day a quarter of an hour after its time, as soon as it is final. */
const answerAt = (now: number): NextDay => ({
  at: new Date(now).toISOString(),
  closed: now < CLOSED ? 20_772 : 20_773,
  next:
    now < CLOSED
      ? {
          day: 20_773,
          at: new Date(CLOSES).toISOString(),
          state: now < CLOSES ? 'scheduled' : 'waiting-chain',
          until: null,
        }
      : { day: 20_774, at: new Date(CLOSES + 86_400_000).toISOString(), state: 'scheduled', until: null },
})

describe('a thousand open apps around the closing hour', () => {
  /** Requests of each second: those for the next day, and the four reads of an app that has learned of the close. */
  const perSecond = new Map<number, number>()
  const count = (at: number) => {
    const second = Math.floor(at / 1_000)
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1)
  }
  const learnedAt: number[] = []
  for (let app = 0; app < 1_000; app += 1) {
    const offset = (app * 7_919) / 7_927
    // Opened at any time of the hour before, some of them at the same moment.
    let now = CLOSES - Math.floor((app % 100) * 36_000)
    let known = answerAt(now)
    for (;;) {
      now += nextDayInterval(known, now, offset % 1)
      if (now > CLOSED + 10 * 60_000) break
      count(now)
      const answer = answerAt(now)
      if (answer.closed !== known.closed) {
        learnedAt.push(now)
        const { own, pool } = delaysAfterClose(((app * 104_729) % 1_009) / 1_009)
        for (const delay of [own, own, pool, pool]) count(now + delay)
      }
      known = answer
    }
  }
  const from = CLOSES / 1_000
  const until = CLOSED / 1_000 + 150
  const counts = Array.from({ length: until - from }, (_, index) => perSecond.get(from + index) ?? 0)
  const average = counts.reduce((sum, each) => sum + each, 0) / counts.length

  it('never ask in step: no second has more than three times the average', () => {
    expect(Math.max(...counts)).toBeLessThanOrEqual(3 * average)
    expect(average).toBeGreaterThan(40)
    expect(average).toBeLessThan(60)
  })

  it('all learn of the close within half a minute', () => {
    expect(learnedAt).toHaveLength(1_000)
    expect(Math.max(...learnedAt) - CLOSED).toBeLessThan(30_000)
  })
})
