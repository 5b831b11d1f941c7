import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sharedOn } from '../production/index.ts'
import {
  checkDay,
  type Day,
  dayFrom,
  faultsOf,
  lineFrom,
  oldestNeeded,
  ownLine,
  type Pledge,
  pledgeFrom,
  type Table,
} from './recompute.ts'

const P = 10n ** 36n
const tx = `0x${'ab'.repeat(32)}`
const bitcoinTx = 'cd'.repeat(32)

type Told = Parameters<typeof dayFrom>[0]

/**
 * The example of the documentation: 20,000 BTN at ×1.00, 10,001 BTN at ×1.50 and 0.01 BTC; then a day without funding.
 */
const ann: Pledge = { weight: 200_000_000n, startDay: 101, endDay: 131 }
const first: Told = {
  day: 100,
  closedAt: '2026-11-14T12:00:00.000Z',
  fundings: [],
  F: '0',
  X: '0',
  T: '0',
  C: '0',
  Z: '0',
  S: '0',
  q: '0',
  A: '0',
  R: '0',
}
const q = (1_000_000n * P) / 350_015_000n
const funded: Told = {
  day: 101,
  closedAt: '2026-11-15T12:00:00.000Z',
  fundings: [{ tx, day: 101, amount: '0.01', bitcoinTx, bitcoinOutput: 0 }],
  F: '0.01',
  X: '0',
  T: '0',
  C: '0',
  Z: '0',
  S: '350015000',
  q: String(q),
  A: String(q),
  R: String(1_000_000n * P - q * 350_015_000n),
}
const empty: Told = {
  day: 102,
  closedAt: '2026-11-16T12:00:00.000Z',
  fundings: [],
  F: '0',
  X: '0',
  T: '0',
  C: '0',
  Z: '0',
  S: '350015000',
  q: '0',
  A: funded.A,
  R: funded.R,
}

function tableOf(told: readonly Told[], firstDay: number | null = 100): Table {
  return { days: new Map(told.map((one) => [one.day, dayFrom(one, 8)])), first: firstDay }
}
const table = tableOf([first, funded, empty])
const annsLine = lineFrom({ day: 101, weight: '200000000', totalWeight: '350015000', amount: '0.00571404' }, 8)
const nothing = { weight: 200_000_000n, totalWeight: 350_015_000n, amount: 0n }

describe('a line that is reckoned again', () => {
  it('is checked where it follows from the table, also on a day that brought nothing', () => {
    expect(ownLine(101, [ann], table)).toEqual(annsLine)
    expect(checkDay(101, { pledges: [ann], line: annsLine, table })).toEqual({ kind: 'checked' })
    expect(checkDay(102, { pledges: [ann], line: nothing, table })).toEqual({ kind: 'checked' })
    expect(checkDay(100, { pledges: [ann], line: null, table })).toEqual({ kind: 'checked' })
  })

  it('does not match by a single unit, or by another weight', () => {
    const less = { ...annsLine, amount: annsLine.amount - 1n }
    expect(checkDay(101, { pledges: [ann], line: less, table })).toEqual({
      kind: 'differs',
      faults: [{ at: 'amount', told: 571_403n, reckoned: 571_404n }],
    })
    const heavier = { ...annsLine, weight: annsLine.weight + 1n }
    expect(checkDay(101, { pledges: [ann], line: heavier, table }).kind).toBe('differs')
    const ofFewer = { ...annsLine, totalWeight: annsLine.totalWeight - 1n }
    expect(checkDay(101, { pledges: [ann], line: ofFewer, table }).kind).toBe('differs')
  })

  it('does not match where the table has less weight than the member’s own, as if nobody had run', () => {
    const denied = { ...funded, S: '0', T: '0', q: '0', A: first.A, R: first.R, C: funded.F }
    const line = { ...annsLine, totalWeight: 0n, amount: 0n }
    const check = checkDay(101, { pledges: [ann], line, table: tableOf([first, denied]) })
    expect(check).toEqual({ kind: 'differs', faults: [{ at: 'totalWeight', told: 0n, reckoned: annsLine.weight }] })
  })

  it('does not match where it is kept back, or told of a day without a pledge', () => {
    expect(checkDay(101, { pledges: [ann], line: null, table }).kind).toBe('differs')
    expect(checkDay(101, { pledges: [], line: annsLine, table }).kind).toBe('differs')
    expect(checkDay(101, { pledges: [{ ...ann, endDay: 101 }], line: annsLine, table }).kind).toBe('differs')
  })

  it('is not known while the table is not here as far back as it needs', () => {
    const later = tableOf([funded, empty], null)
    expect(checkDay(101, { pledges: [ann], line: annsLine, table: later })).toEqual({ kind: 'unknown' })
    expect(checkDay(102, { pledges: [ann], line: nothing, table: later })).toEqual({ kind: 'unknown' })
    expect(checkDay(103, { pledges: [ann], line: nothing, table })).toEqual({ kind: 'unknown' })
    expect(oldestNeeded(102, [ann])).toBe(100)
    expect(oldestNeeded(131, [ann])).toBe(130)
    expect(oldestNeeded(102, [])).toBe(101)
  })
})

describe('the table of days', () => {
  it('is not believed: with any one digit of a figure changed, a day or the one after it does not follow', () => {
    const figures = ['F', 'X', 'T', 'C', 'Z', 'q', 'A', 'R', 'S'] as const
    const changed = fc.record({
      at: fc.constantFrom(...figures),
      place: fc.nat(),
      digit: fc.integer({ min: 1, max: 9 }),
    })
    fc.assert(
      fc.property(changed, ({ at, place, digit }) => {
        const figure = funded[at]
        const here = place % figure.length
        const was = figure[here] ?? '0'
        if (was === '.') return
        const other = String((Number(was) + digit) % 10)
        const text = figure.slice(0, here) + other + figure.slice(here + 1)
        const bent = tableOf([first, { ...funded, [at]: text }, empty])
        const checks = [101, 102].map((day) =>
          checkDay(day, { pledges: [ann], line: day === 101 ? annsLine : nothing, table: bent }),
        )
        expect(checks.some(({ kind }) => kind === 'differs')).toBe(true)
      }),
    )
  })

  it('says which figure does not follow, and what it should be', () => {
    const bent = dayFrom({ ...funded, A: String(q + 1n) }, 8)
    expect(faultsOf(bent, dayFrom(first, 8))).toEqual([{ at: 'A', told: q + 1n, reckoned: q }])
  })

  it('has no day left out, and no funding that does not add up or is for later', () => {
    expect(faultsOf(dayFrom({ ...empty, day: 103 }, 8), dayFrom(funded, 8))).toEqual([{ at: 'days' }])
    const half = { ...funded, fundings: funded.fundings.map((one) => ({ ...one, amount: '0.005' })) }
    expect(faultsOf(dayFrom(half, 8), dayFrom(first, 8))).toEqual([{ at: 'fundings' }])
    const later = { ...funded, fundings: funded.fundings.map((one) => ({ ...one, day: 102 })) }
    expect(faultsOf(dayFrom(later, 8), dayFrom(first, 8))).toEqual([{ at: 'fundings' }])
  })

  it('lets money wait where nobody runs and what is above the most, and lets it in no faster than new money', () => {
    const day = (changes: Partial<Day>): Day => ({
      day: 1,
      funded: 0n,
      F: 0n,
      X: 0n,
      T: 0n,
      C: 0n,
      Z: 0n,
      S: 0n,
      q: 0n,
      A: 0n,
      R: 0n,
      ...changes,
    })
    const waits = day({ funded: 10n, F: 7n, X: 3n, C: 10n, Z: 5n, R: 5n })
    expect(faultsOf(waits, null)).toEqual([])
    expect(sharedOn(waits)).toBe(0n)
    const N = 8n * P + 5n
    const letIn = day({ day: 2, funded: 4n, F: 4n, T: 4n, C: 6n, S: 3n, q: N / 3n, A: N / 3n, R: N % 3n })
    expect(faultsOf(letIn, waits)).toEqual([])
    expect(sharedOn(letIn)).toBe(8n)
    expect(faultsOf({ ...letIn, T: 3n }, waits)).toContainEqual({ at: 'T', told: 3n, reckoned: 4n })
  })
})

describe('a pledge', () => {
  it('weighs its whole BTN times its term, whatever is told of its weight, and has no days until it is paid', () => {
    const record = { amount: '10001', termWeight: 15_000, effective: '1', startDay: 101, endDay: 461 }
    const asTold = record as Parameters<typeof pledgeFrom>[0]
    expect(pledgeFrom(asTold)).toEqual({ weight: 150_015_000n, startDay: 101, endDay: 461 })
    expect(pledgeFrom({ ...asTold, startDay: null, endDay: null })).toBeNull()
  })

  it('brings on each day what its sum has grown by: over its days nothing is lost and nothing is counted twice', () => {
    const steps = fc.array(fc.bigInt({ min: 0n, max: 10n ** 33n }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(steps, fc.bigInt({ min: 1n, max: 10n ** 13n }), (growths, weight) => {
        let A = 0n
        const days = growths.map((growth, place): [number, Day] => {
          A += growth
          const rest = { funded: 0n, F: 0n, X: 0n, T: 0n, C: 0n, Z: 0n, S: weight, R: 0n }
          return [place, { day: place, q: growth, A, ...rest }]
        })
        const pledges = [{ weight, startDay: 0, endDay: growths.length }]
        const whole = { days: new Map(days), first: 0 }
        const sum = growths.reduce((so, _, day) => so + (ownLine(day, pledges, whole)?.amount ?? 0n), 0n)
        expect(sum).toBe((weight * A) / P)
      }),
    )
  })
})
