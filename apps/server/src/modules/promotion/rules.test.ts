import { units } from '@lode/kernel'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Plan } from '../plan/index.ts'
import { allocate, type Concerned, previewOf, type Standing } from './rules.ts'

const level = (rewardsAtMost: number) => ({ rewardsAtMost }) as Plan['levels'][number]
const plan = {
  levels: [level(0), level(3), level(12), level(39)] as unknown as Plan['levels'],
  allocation: {
    miningFund: 6_500,
    promotion: 1_000,
    upLevel: 1_000,
    agent: 500,
    partner: 300,
    liquidity: 500,
    operations: 200,
  },
  upLevelLayers: 5,
}
const usdt = (value: bigint) => units('USDT', value)
const PRICE = usdt(100_000_000n)

const everybody: Concerned = { sponsor: 9n, above: [1n, 2n, 3n, 4n, 5n] }
const standing = (also: Partial<Standing> = {}): Standing => ({ level: 1, rewards: 0, expert: false, ...also })
const settled = (standings: Record<number, Partial<Standing>>, concerned = everybody, bought = 1) =>
  allocate(plan, { level: bought, price: PRICE }, concerned, (member) => standing(standings[Number(member)]))

const total = ({ rewards, partner, liquidity, operations, miningFund }: ReturnType<typeof allocate>) =>
  rewards.reduce(
    (sum, { amount, failed }) => (failed ? sum : sum + amount),
    partner + liquidity + operations + miningFund,
  )

describe('the price of a promotion', () => {
  it('goes where the plan says', () => {
    const { rewards, ...parts } = settled({ 3: { expert: true } })
    expect(parts).toEqual({
      partner: 3_000_000n,
      liquidity: 5_000_000n,
      operations: 2_000_000n,
      miningFund: 65_000_000n,
    })
    expect(
      rewards.map(({ member, type, layer, amount, basisPoints }) => [member, type, layer, amount, basisPoints]),
    ).toEqual([
      [9n, 'promotionReward', null, 10_000_000n, 1_000],
      ...[1, 2, 3, 4, 5].map((layer) => [BigInt(layer), 'upLevelReward', layer, 2_000_000n, 200]),
      [3n, 'agentReward', 3, 5_000_000n, 500],
    ])
  })

  it('goes to the mining fund where there is nobody, and nothing is written of it', () => {
    const { rewards, miningFund } = settled({}, { sponsor: null, above: [] })
    expect([rewards, miningFund]).toEqual([[], 90_000_000n])
  })

  it('goes to the mining fund where somebody is not eligible, and a record says why', () => {
    const { rewards, miningFund } = settled(
      { 9: { level: 0 }, 1: { level: 0 }, 2: { level: 1 }, 3: { expert: true } },
      everybody,
      2,
    )
    expect(rewards.map(({ failed }) => failed)).toEqual([
      ...['not-activated', 'not-activated', 'level-below', 'level-below', 'level-below', 'level-below', 'level-below'],
    ])
    expect(miningFund).toBe(90_000_000n)
  })

  it('brings the sponsor as many rewards as the present level allows, and one more level allows more', () => {
    const failed = (also: Partial<Standing>) => settled({ 9: also }).rewards[0]?.failed
    expect([failed({ rewards: 2 }), failed({ rewards: 3 }), failed({ rewards: 3, level: 2 })]).toEqual([
      ...[null, 'count-reached', null],
    ])
    // The limit on the number of rewards does not apply to up-level rewards.
    expect(settled({ 1: { rewards: 1_000 } }).rewards[1]?.failed).toBeNull()
  })

  it('thanks the nearest expert alone: where that one is not eligible, nobody', () => {
    const agents = settled({ 2: { expert: true, level: 0 }, 4: { expert: true } }).rewards.filter(
      ({ type }) => type === 'agentReward',
    )
    expect(agents).toMatchObject([{ member: 2n, failed: 'not-activated' }])
  })

  it('may bring several parts to one member', () => {
    const { rewards } = settled({ 1: { expert: true } }, { sponsor: 1n, above: [1n] })
    expect(rewards.map(({ member, type }) => [member, type])).toEqual([
      ...[
        [1n, 'promotionReward'],
        [1n, 'upLevelReward'],
        [1n, 'agentReward'],
      ],
    ])
  })
})

const anyStanding = fc.record({ level: fc.nat(4), rewards: fc.nat(50), expert: fc.boolean() })
const anyConcerned = fc.record({
  sponsor: fc.option(fc.bigInt({ min: 1n, max: 9n })),
  above: fc.uniqueArray(fc.bigInt({ min: 1n, max: 9n }), { maxLength: 5 }),
})
const anyPrice = fc.bigInt({ min: 1n, max: 10n ** 20n }).map(usdt)

describe('whatever the price and whoever is concerned', () => {
  it('the parts are the price to the smallest unit, in the preview too', () => {
    fc.assert(
      fc.property(
        anyPrice,
        anyConcerned,
        fc.array(anyStanding, { minLength: 10, maxLength: 10 }),
        fc.nat(3),
        (price, concerned, standings, bought) => {
          const standingOf = (member: bigint) => standings[Number(member)] ?? standing()
          expect(total(allocate(plan, { level: bought + 1, price }, concerned, standingOf))).toBe(price)
          expect(Object.values(previewOf(plan, price)).reduce((sum, part) => sum + part, 0n)).toBe(price)
        },
      ),
    )
  })

  it('setting the three parts that go to others to nothing leaves everything else as it was', () => {
    const allocation = { ...plan.allocation, miningFund: 9_000, promotion: 0, upLevel: 0, agent: 0 }
    fc.assert(
      fc.property(
        anyPrice,
        anyConcerned,
        fc.array(anyStanding, { minLength: 10, maxLength: 10 }),
        (price, concerned, standings) => {
          const standingOf = (member: bigint) => standings[Number(member)] ?? standing()
          const bought = { level: 1, price }
          const [full, plain] = [plan, { ...plan, allocation }].map((of) => allocate(of, bought, concerned, standingOf))
          expect(plain?.rewards).toEqual([])
          for (const part of ['partner', 'liquidity', 'operations'] as const) expect(plain?.[part]).toBe(full?.[part])
        },
      ),
    )
  })
})
