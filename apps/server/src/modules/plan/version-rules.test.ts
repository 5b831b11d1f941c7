import { type Asset, assets } from '@lode/kernel'
import { describe, expect, it } from 'vitest'
import { examplePlanText } from '../../testing/plan.ts'
import { parsePlanText, type WrittenPlan } from './plan-text.ts'
import {
  computeStart,
  determinePlanStanding,
  findHarderPaths,
  findVersionBefore,
  findVersionInForce,
  listCurrentAndComing,
} from './version-rules.ts'

const day = (number: number): Date => new Date(Date.UTC(2026, 0, number))
const version = (number: number, startsOn: number) => ({ version: number, startsAt: day(startsOn) })

describe('the version in force', () => {
  const versions = [version(1, 1), version(2, 10), version(3, 20)]

  it('is none before the first start, and changes exactly at each start', () => {
    expect(findVersionInForce(versions, new Date(day(1).getTime() - 1))).toBeNull()
    expect(findVersionInForce(versions, day(1))?.version).toBe(1)
    expect(findVersionInForce(versions, new Date(day(10).getTime() - 1))?.version).toBe(1)
    expect(findVersionInForce(versions, day(10))?.version).toBe(2)
    expect(findVersionInForce(versions, day(25))?.version).toBe(3)
    expect(findVersionInForce([], day(1))).toBeNull()
  })

  it('is the higher version, even if a lower version was to start later', () => {
    const overtaken = [version(1, 1), version(2, 10), version(3, 5)]
    expect([4, 5, 10, 30].map((at) => findVersionInForce(overtaken, day(at))?.version)).toEqual([1, 3, 3, 3])
    expect(overtaken.map((one) => determinePlanStanding(one, overtaken, day(4)))).toEqual([
      'current',
      'overtaken',
      'coming',
    ])
    expect(overtaken.map((one) => determinePlanStanding(one, overtaken, day(12)))).toEqual([
      'past',
      'overtaken',
      'current',
    ])
  })

  it('comes before the next version, without versions that never start', () => {
    const before = (of: typeof versions) => of.map((one) => findVersionBefore(one, of)?.version ?? null)
    expect(before(versions)).toEqual([null, 1, 2])
    expect(before([version(1, 1), version(2, 10), version(3, 5)])).toEqual([null, 1, 1])
    expect(before([version(1, 1), version(2, 10), version(3, 10)])).toEqual([null, 1, 1])
  })

  it('is listed with the coming versions, without the past ones', () => {
    expect(listCurrentAndComing(versions, day(12)).map((one) => one.version)).toEqual([2, 3])
    expect(listCurrentAndComing(versions, new Date(0)).map((one) => one.version)).toEqual([1, 2, 3])
    expect(versions.map((one) => determinePlanStanding(one, versions, day(12)))).toEqual(['past', 'current', 'coming'])
  })
})

describe('the start', () => {
  const at = day(1)

  it('is at the second signature, or at the requested time if that is later', () => {
    expect(computeStart('at once', at, false)).toEqual(day(1))
    expect(computeStart(day(3).toISOString(), at, false)).toEqual(day(3))
    expect(computeStart(new Date(0).toISOString(), at, false)).toEqual(day(1))
  })

  it('is at the earliest 7 days after the second signature if leaving becomes harder', () => {
    expect(computeStart('at once', at, true)).toEqual(day(8))
    expect(computeStart(day(7).toISOString(), at, true)).toEqual(day(8))
    expect(computeStart(day(9).toISOString(), at, true)).toEqual(day(9))
  })
})

describe('leaving', () => {
  const decimals = { USDT: 6, BTN: 18, BTC: 8 }
  const written = (): WrittenPlan => JSON.parse(examplePlanText)
  const terms = (plan: WrittenPlan) => {
    const read = parsePlanText(JSON.stringify(plan), decimals)
    if (!read.ok) throw new Error(read.error.join('\n'))
    return read.value.terms
  }
  /** The amount of the example, changed by this many smallest units. */
  const moved = (asset: Asset, text: string, by: bigint): string => {
    const [whole = '', fraction = ''] = text.split('.')
    const digits = String(BigInt(whole + fraction.padEnd(decimals[asset], '0')) + by).padStart(decimals[asset] + 1, '0')
    const cut = digits.length - decimals[asset]
    const rest = digits.slice(cut).replace(/0+$/, '')
    return rest ? `${digits.slice(0, cut)}.${rest}` : digits.slice(0, cut)
  }
  const example = terms(written())
  const changed = (change: (plan: WrittenPlan) => void) => {
    const plan = written()
    change(plan)
    return terms(plan)
  }

  const fields = assets.flatMap((asset) =>
    (
      [
        ['fee', 1n],
        ['min', 1n],
        ['max', -1n],
        ['reviewAbove', -1n],
        ['decisionAbove', -1n],
      ] as const
    ).map(([name, by]) => ({ asset, name, by })),
  )

  it.each(fields)(
    'becomes harder with one unit of transfer.$asset.$name, and not with one unit the other way',
    ({ asset, name, by }) => {
      const to = (units: bigint) =>
        changed((plan) => (plan.transfer[asset][name] = moved(asset, plan.transfer[asset][name], units)))
      expect(findHarderPaths(example, to(by))).toEqual([`transfer.${asset}.${name}`])
      expect(findHarderPaths(example, to(-by))).toEqual([])
    },
  )

  const quotas = assets.flatMap((asset) => example.levels.map((_, level) => ({ asset, level })))

  it.each(quotas)('becomes harder with one unit less quota of $asset at level $level', ({ asset, level }) => {
    const to = (units: bigint) =>
      changed(({ levels }) => {
        const found = levels[level]
        if (found) found.quotas[asset] = moved(asset, found.quotas[asset], units)
      })
    expect(findHarderPaths(example, to(-1n))).toEqual([`levels.${level}.quotas.${asset}`])
    expect(findHarderPaths(example, to(1n))).toEqual([])
  })

  it('becomes harder for members of a removed level if the last level has a lower quota', () => {
    const shorter = changed(({ levels }) => levels.pop())
    expect(findHarderPaths(example, shorter)).toEqual(assets.map((asset) => `levels.5.quotas.${asset}`))
    expect(findHarderPaths(shorter, example)).toEqual([])
  })

  it('does not become harder with any other change', () => {
    const otherwise = changed((plan) => {
      plan.allocation.miningFund = 5_000
      plan.allocation.operations = 1_700
      plan.destruction = 0
      plan.dayFundingMax = '1'
      plan.closeHour = 3
      plan.partnerAirdrop = '0'
      plan.quoteMinutes = 10
      plan.levels.forEach((level, at) => {
        if (at > 0) level.price = `${level.price}0`
      })
    })
    expect(findHarderPaths(example, otherwise)).toEqual([])
  })
})
