import { dayNumber, SHARE_SCALE } from '@lode/kernel'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  BEFORE_ALL_DAYS,
  closeDay,
  closesAt,
  computeWeight,
  dayOfTerm,
  determineCloseState,
  firstDayAfter,
} from './rules.ts'
import { EagerDistributor } from './testing/eager-distributor.ts'
import { InMemoryPledges } from './testing/in-memory-pledges.ts'

const FIRST_DAY = 20_000
const NAMES = ['ann', 'ben', 'cho', 'dia'] as const
const name = fc.constantFrom(...NAMES)

/** From one unit of weight up to more than all BTN at the highest weight. */
const weight = fc.oneof(fc.bigInt(1n, 9n), fc.bigInt(100_010_000n, 10n ** 14n))
const amount = fc.oneof(fc.bigInt(1n, 20n), fc.bigInt(1n, 10n ** 10n))

const event = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('pledge' as const),
      name,
      weight,
      days: fc.integer({ min: 1, max: 9 }),
      late: fc.integer({ min: 0, max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant('fund' as const), amount, offset: fc.integer({ min: -7, max: 2 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('close' as const),
      days: fc.integer({ min: 1, max: 4 }),
      most: fc.oneof(fc.bigInt(1n, 15n), fc.bigInt(1n, 10n ** 10n)),
    }),
  },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('collect' as const), name }) },
)

describe('the share-out', () => {
  it('pays at every collect exactly what the simple model pays, to the smallest unit', {
    timeout: 120_000,
  }, () => {
    let [collected, days, ends] = [0, 0, 0]
    fc.assert(
      fc.property(fc.array(event, { minLength: 5, maxLength: 60, size: 'max' }), (history) => {
        const lazy = new InMemoryPledges(FIRST_DAY)
        const eager = new EagerDistributor()
        for (const step of history)
          switch (step.what) {
            case 'pledge': {
              // The payment became final after its day was over, or even closed.
              const { start } = lazy.pledge(step.name, step.weight, lazy.lastClosed + 1 - step.late, step.days)
              eager.pledge(step.name, step.weight, start, step.days)
              break
            }
            case 'fund':
              lazy.fund(lazy.lastClosed + 1 + step.offset, step.amount)
              eager.fund(lazy.lastClosed + 1 + step.offset, step.amount)
              break
            case 'close':
              for (let day = 0; day < step.days; day += 1) {
                const closed = lazy.close(step.most)
                eager.closeDay(lazy.lastClosed, step.most)
                days += 1
                expect([closed.carry, closed.remainder]).toEqual([eager.carry, eager.remainder])
                const running = lazy.pledges.filter(
                  ({ start, end }) => start <= lazy.lastClosed && lazy.lastClosed < end,
                )
                expect(closed.weight).toBe(running.reduce((sum, one) => sum + one.weight, 0n))
                conserved(lazy)
              }
              break
            case 'collect': {
              const due = lazy.collect(step.name)
              expect(due).toBe(eager.collect(step.name))
              expect(due >= 0n).toBe(true)
              if (due > 0n) collected += 1
              conserved(lazy)
            }
          }
        for (const each of NAMES) expect(lazy.collect(each)).toBe(eager.collect(each))
        conserved(lazy)
        ends += lazy.pledges.filter(({ end }) => end <= lazy.lastClosed).length
      }),
      { numRuns: 2_000 },
    )
    // Checks that the histories contained enough events.
    expect(Math.min(collected / 1_000, days / 10_000, ends / 2_000)).toBeGreaterThan(1)
  })

  /** P·(Σ(F + X) − C) = P·Σpaid + R + U, and no pledge is below zero. */
  function conserved(book: InMemoryPledges): void {
    const { carry, remainder } = book.production
    const unpaid = book.unpaid()
    expect(unpaid.every((part) => part >= 0n)).toBe(true)
    const beyond = unpaid.reduce((sum, part) => sum + part, 0n)
    expect(SHARE_SCALE * (book.funded - carry)).toBe(SHARE_SCALE * book.paid + remainder + beyond)
    expect(book.paid <= book.funded - carry).toBe(true)
  }

  it('keeps funding while no pledge runs, and admits it later no faster than new funding comes', () => {
    const none = { started: 0n, ended: 0n, freed: 0n }
    const empty = closeDay(BEFORE_ALL_DAYS, none, { funding: 100n, most: 60n })
    expect(empty).toMatchObject({ admitted: 60n, above: 40n, fromCarry: 0n, carry: 100n, shared: 0n, quotient: 0n })
    const begun = closeDay(empty, { ...none, started: 10n }, { funding: 30n, most: 60n })
    expect(begun).toMatchObject({ admitted: 30n, fromCarry: 30n, carry: 70n, shared: 60n })
    const unfunded = closeDay(begun, none, { funding: 0n, most: 60n })
    expect(unfunded).toMatchObject({ admitted: 0n, fromCarry: 0n, carry: 70n, shared: 0n, quotient: 0n })
    const over = closeDay(unfunded, none, { funding: 200n, most: 60n })
    expect(over).toMatchObject({ admitted: 60n, above: 140n, fromCarry: 60n, carry: 150n, shared: 120n })
  })
})

describe('a pledge', () => {
  it('has a weight of its whole coins times the weight of its term', () => {
    expect([computeWeight(10_001n, 10_000), computeWeight(10_001n, 15_000)]).toEqual([100_010_000n, 150_015_000n])
  })

  it('runs from the day after its payment, or after the last closed day if that is later', () => {
    const paidAt = new Date('2026-11-15T23:59:59Z')
    const day = Math.floor(paidAt.getTime() / 86_400_000)
    expect(firstDayAfter(paidAt, null)).toBe(day + 1)
    expect(firstDayAfter(paidAt, dayNumber(day))).toBe(day + 1)
    expect(firstDayAfter(paidAt, dayNumber(day + 1))).toBe(day + 2)
  })

  it('is on day 0 before its first day, and stays on its last day afterwards', () => {
    const on = (today: number) => dayOfTerm(dayNumber(today), dayNumber(100), 30)
    expect([on(90), on(99), on(100), on(129), on(130), on(400)]).toEqual([0, 0, 1, 30, 30, 30])
  })
})

describe('a day', () => {
  const day = dayNumber(Math.floor(Date.UTC(2026, 10, 15) / 86_400_000))
  const at = closesAt(day, 12)
  const hours = (count: number) => new Date(at.getTime() + count * 3_600_000)
  const usual = {
    now: hours(1),
    postedAt: hours(1),
    closesAt: at,
    funding: 5n,
    planMost: 10n,
    approved: null,
    lacksEvidence: false,
  }

  it('closes at the plan’s hour of the next day, once a later block is posted', () => {
    expect(at.toISOString()).toBe('2026-11-16T12:00:00.000Z')
    expect(determineCloseState({ ...usual, now: hours(-0.01) })).toEqual({ state: 'scheduled' })
    expect(determineCloseState({ ...usual, postedAt: hours(0) })).toEqual({ state: 'waiting-chain' })
    expect(determineCloseState({ ...usual, postedAt: null })).toEqual({ state: 'waiting-chain' })
    expect(determineCloseState(usual)).toEqual({ state: 'due', most: 10n })
    expect(determineCloseState({ ...usual, now: hours(0), postedAt: hours(0.01) })).toEqual({ state: 'due', most: 10n })
    expect(determineCloseState({ ...usual, funding: 10n })).toEqual({ state: 'due', most: 10n })
  })

  it('waits at most 72 hours for operators if its funding is above the daily limit', () => {
    const large = { ...usual, funding: 11n }
    expect(determineCloseState(large)).toEqual({ state: 'waiting-operators', until: hours(72) })
    expect(determineCloseState({ ...large, approved: 11n })).toEqual({ state: 'due', most: 11n })
    // Funding after the operators signed is above their approval.
    expect(determineCloseState({ ...large, funding: 50n, approved: 11n })).toEqual({ state: 'due', most: 11n })
    expect(determineCloseState({ ...large, approved: 9n })).toMatchObject({ state: 'waiting-operators' })
    expect(determineCloseState({ ...large, now: hours(72) })).toEqual({ state: 'due', most: 10n })
  })

  it('waits at most 72 hours for the Bitcoin outputs that its funding names', () => {
    const unproven = { ...usual, lacksEvidence: true }
    expect(determineCloseState({ ...unproven, now: hours(-1) })).toEqual({ state: 'scheduled' })
    expect(determineCloseState(unproven)).toEqual({ state: 'waiting-evidence', until: hours(72) })
    // Approval of a large amount is not evidence.
    expect(determineCloseState({ ...unproven, funding: 11n, approved: 11n })).toMatchObject({
      state: 'waiting-evidence',
    })
    expect(determineCloseState({ ...unproven, now: hours(72) })).toEqual({ state: 'due', most: 10n })
  })
})
