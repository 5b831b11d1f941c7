import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { burnedOf, quotaAt, readPlans } from './plan.ts'

const EXAMPLE = fileURLToPath(import.meta.resolve('../../../plans/example.json'))
const decimals = { USDT: 6, BTN: 18, BTC: 8 }
const folder = mkdtempSync(join(tmpdir(), 'lode-plan-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Version = {
  version: number
  transfer: Record<'USDT' | 'BTN' | 'BTC', Record<string, string>>
  quotas: Record<string, string>[]
  burnBasisPoints: number
}

const example = (): Version => JSON.parse(readFileSync(EXAMPLE, 'utf8')).versions[0]

function readingOf(content: unknown): () => ReturnType<typeof readPlans> {
  const path = join(folder, 'plan.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return () => readPlans(path, decimals)
}

describe('the plan', () => {
  it('is in smallest units, by the decimals of each token', () => {
    const { inForce } = readPlans(EXAMPLE, decimals)
    expect(inForce?.transfer.USDT).toEqual({
      ...{ min: 10_000_000n, max: 50_000_000_000n, fee: 1_000_000n },
      ...{ reviewAbove: 5_000_000_000n, decisionAbove: 20_000_000_000n },
    })
    expect(inForce?.transfer.BTC.fee).toBe(5_000n)
    expect(readPlans(EXAMPLE, { ...decimals, USDT: 18 }).inForce?.transfer.USDT.fee).toBe(10n ** 18n)
  })

  it('has a quota for every level, and above the last that of the last', () => {
    const { inForce } = readPlans(EXAMPLE, decimals)
    if (!inForce) throw new Error('the example is no plan')
    expect([0, 1, 5, 9].map((level) => quotaAt(inForce, level).USDT / 1_000_000n)).toEqual([
      100n,
      500n,
      10_000n,
      10_000n,
    ])
  })

  it('burns its part of a fee in BTN, cut off at the last unit, and of no other', () => {
    const { inForce } = readingOf({ versions: [{ ...example(), burnBasisPoints: 3_333 }] })()
    if (!inForce) throw new Error('no plan')
    expect(burnedOf(inForce, 'BTN')).toBe((100n * 10n ** 18n * 3_333n) / 10_000n)
    expect([burnedOf(inForce, 'USDT'), burnedOf(inForce, 'BTC')]).toEqual([0n, 0n])
  })

  it('is the highest version, and knows the others', () => {
    const plans = readingOf({
      versions: [
        { ...example(), version: 7 },
        { ...example(), version: 3 },
      ],
    })()
    expect([plans.inForce?.version, plans.byVersion(3)?.version, plans.byVersion(4)]).toEqual([7, 3, undefined])
  })

  it('is none without a file', () => {
    const plans = readPlans(null, decimals)
    expect([plans.inForce, plans.byVersion(1)]).toEqual([null, undefined])
  })
})

describe('a file that is no plan', () => {
  const changed = (change: (version: Version) => void) => {
    const version = example()
    change(version)
    return { versions: [version] }
  }

  it.each([
    ['is not JSON', 'no plan', /cannot be read/],
    ['has no version', { versions: [] }, /versions/],
    ['has one version twice', { versions: [example(), example()] }, /twice/],
    [
      'has an amount that the token cannot express',
      changed((plan) => (plan.transfer.USDT.fee = '0.0000001')),
      /transfer\.USDT\.fee.*6 decimals/,
    ],
    ['spells an amount another way', changed((plan) => (plan.transfer.BTC.min = '1e-3')), /transfer\.BTC\.min/],
    ['has a minimum above its maximum', changed((plan) => (plan.transfer.BTN.min = '6000000')), /transfer\.BTN.*min/],
    ['has no minimum', changed((plan) => (plan.transfer.BTN.min = '0')), /above zero/],
    [
      'asks two operators for less than it asks one',
      changed((plan) => (plan.transfer.BTC.decisionAbove = '0.1')),
      /decisionAbove/,
    ],
    [
      'gives a higher level less',
      changed((plan) => (plan.quotas[2] = { USDT: '1', BTN: '100000', BTC: '0.05' })),
      /level 2 .* USDT/,
    ],
    ['burns more than all', changed((plan) => (plan.burnBasisPoints = 10_001)), /burnBasisPoints/],
    ['says something that nobody reads', { versions: [{ ...example(), guaranteed: '10%' }] }, /guaranteed/],
  ])('%s: refused in words', (_what, content, words) => {
    expect(readingOf(content)).toThrow(words)
  })

  it('hears every objection at once', () => {
    const content = changed((plan) => {
      plan.transfer.USDT.fee = 'x'
      plan.transfer.BTC.fee = 'y'
    })
    expect(readingOf(content)).toThrow(/USDT\.fee.*BTC\.fee/s)
  })
})
