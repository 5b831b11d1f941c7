import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayProduction } from '../production/index.ts'
import {
  checkDay,
  type DayFigures,
  findTableFaults,
  oldestDayNeeded,
  type Pledge,
  parseDay,
  parseLine,
  parsePledge,
  recomputeLine,
  type Table,
} from './recompute.ts'

const P = 10n ** 36n
const tx = `0x${'ab'.repeat(32)}`
const bitcoinTx = 'cd'.repeat(32)

type ReportedDay = Parameters<typeof parseDay>[0]

/**
 * The example of the documentation: 20,000 BTN at ×1.00, 10,001 BTN at ×1.50 and 0.01 BTC; then a day without funding.
 */
const ann: Pledge = { weight: 200_000_000n, startDay: 101, endDay: 131 }
const first: ReportedDay = {
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
const funded: ReportedDay = {
  day: 101,
  closedAt: '2026-11-15T12:00:00.000Z',
  fundings: [{ tx, day: 101, amount: '0.01', bitcoinTx, bitcoinOutput: 0, evidence: 'found', bitcoinValue: '0.01' }],
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
const empty: ReportedDay = {
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

function tableOf(reported: readonly ReportedDay[], firstDay: number | null = 100): Table {
  return { days: new Map(reported.map((one) => [one.day, parseDay(one, 8)])), first: firstDay }
}
const table = tableOf([first, funded, empty])
const annsLine = parseLine({ day: 101, weight: '200000000', totalWeight: '350015000', amount: '0.00571404' }, 8)
const nothing = { weight: 200_000_000n, totalWeight: 350_015_000n, amount: 0n }

describe('the check of a member’s dividend line', () => {
  it('passes if the line follows from the table, also on a day without a dividend', () => {
    expect(recomputeLine(101, [ann], table)).toEqual(annsLine)
    expect(checkDay(101, { pledges: [ann], line: annsLine, table })).toEqual({ kind: 'checked' })
    expect(checkDay(102, { pledges: [ann], line: nothing, table })).toEqual({ kind: 'checked' })
    expect(checkDay(100, { pledges: [ann], line: null, table })).toEqual({ kind: 'checked' })
  })

  it('fails if the amount differs by one unit, or if a weight differs', () => {
    const less = { ...annsLine, amount: annsLine.amount - 1n }
    expect(checkDay(101, { pledges: [ann], line: less, table })).toEqual({
      kind: 'differs',
      faults: [{ at: 'amount', reported: 571_403n, recomputed: 571_404n }],
    })
    const heavier = { ...annsLine, weight: annsLine.weight + 1n }
    expect(checkDay(101, { pledges: [ann], line: heavier, table }).kind).toBe('differs')
    const ofFewer = { ...annsLine, totalWeight: annsLine.totalWeight - 1n }
    expect(checkDay(101, { pledges: [ann], line: ofFewer, table }).kind).toBe('differs')
  })

  it('fails if the table shows less total weight than the member’s own weight', () => {
    const denied = { ...funded, S: '0', T: '0', q: '0', A: first.A, R: first.R, C: funded.F }
    const line = { ...annsLine, totalWeight: 0n, amount: 0n }
    const check = checkDay(101, { pledges: [ann], line, table: tableOf([first, denied]) })
    expect(check).toEqual({
      kind: 'differs',
      faults: [{ at: 'totalWeight', reported: 0n, recomputed: annsLine.weight }],
    })
  })

  it('fails if a line is missing, or reported for a day without a running pledge', () => {
    expect(checkDay(101, { pledges: [ann], line: null, table }).kind).toBe('differs')
    expect(checkDay(101, { pledges: [], line: annsLine, table }).kind).toBe('differs')
    expect(checkDay(101, { pledges: [{ ...ann, endDay: 101 }], line: annsLine, table }).kind).toBe('differs')
  })

  it('is undecided until the table has been read far enough back', () => {
    const later = tableOf([funded, empty], null)
    expect(checkDay(101, { pledges: [ann], line: annsLine, table: later })).toEqual({ kind: 'unknown' })
    expect(checkDay(102, { pledges: [ann], line: nothing, table: later })).toEqual({ kind: 'unknown' })
    expect(checkDay(103, { pledges: [ann], line: nothing, table })).toEqual({ kind: 'unknown' })
    expect(oldestDayNeeded(102, [ann])).toBe(100)
    expect(oldestDayNeeded(131, [ann])).toBe(130)
    expect(oldestDayNeeded(102, [])).toBe(101)
  })
})

describe('the check of the table of days', () => {
  it('fails on that day or the next if any digit of a figure is changed', () => {
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

  it('names the wrong figure and its recomputed value', () => {
    const bent = parseDay({ ...funded, A: String(q + 1n) }, 8)
    expect(findTableFaults(bent, parseDay(first, 8))).toEqual([{ at: 'A', reported: q + 1n, recomputed: q }])
  })

  it('fails if a day is missing, if fundings do not add up, or if a funding is for a later day', () => {
    expect(findTableFaults(parseDay({ ...empty, day: 103 }, 8), parseDay(funded, 8))).toEqual([{ at: 'days' }])
    const half = { ...funded, fundings: funded.fundings.map((one) => ({ ...one, amount: '0.005' })) }
    expect(findTableFaults(parseDay(half, 8), parseDay(first, 8))).toEqual([{ at: 'fundings' }])
    const later = { ...funded, fundings: funded.fundings.map((one) => ({ ...one, day: 102 })) }
    expect(findTableFaults(parseDay(later, 8), parseDay(first, 8))).toEqual([{ at: 'fundings' }])
  })

  it('accepts that funding waits if no pledge runs or the daily limit is exceeded, and is added later no faster than new funding', () => {
    const day = (changes: Partial<DayFigures>): DayFigures => ({
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
    expect(findTableFaults(waits, null)).toEqual([])
    expect(dayProduction(waits)).toBe(0n)
    const N = 8n * P + 5n
    const letIn = day({ day: 2, funded: 4n, F: 4n, T: 4n, C: 6n, S: 3n, q: N / 3n, A: N / 3n, R: N % 3n })
    expect(findTableFaults(letIn, waits)).toEqual([])
    expect(dayProduction(letIn)).toBe(8n)
    expect(findTableFaults({ ...letIn, T: 3n }, waits)).toContainEqual({ at: 'T', reported: 3n, recomputed: 4n })
  })
})

describe('a pledge', () => {
  it('has the weight of its BTN times its term, whatever the pool reports, and no days until it is paid', () => {
    const record = { amount: '10001', termWeight: 15_000, effective: '1', startDay: 101, endDay: 461 }
    const asTold = record as Parameters<typeof parsePledge>[0]
    expect(parsePledge(asTold)).toEqual({ weight: 150_015_000n, startDay: 101, endDay: 461 })
    expect(parsePledge({ ...asTold, startDay: null, endDay: null })).toBeNull()
  })

  it('earns each day the growth of its total, so that nothing is lost or counted twice over its days', () => {
    const steps = fc.array(fc.bigInt({ min: 0n, max: 10n ** 33n }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(steps, fc.bigInt({ min: 1n, max: 10n ** 13n }), (growths, weight) => {
        let A = 0n
        const days = growths.map((growth, place): [number, DayFigures] => {
          A += growth
          const rest = { funded: 0n, F: 0n, X: 0n, T: 0n, C: 0n, Z: 0n, S: weight, R: 0n }
          return [place, { day: place, q: growth, A, ...rest }]
        })
        const pledges = [{ weight, startDay: 0, endDay: growths.length }]
        const whole = { days: new Map(days), first: 0 }
        const sum = growths.reduce((so, _, day) => so + (recomputeLine(day, pledges, whole)?.amount ?? 0n), 0n)
        expect(sum).toBe((weight * A) / P)
      }),
    )
  })
})
