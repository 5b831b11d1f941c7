import { units } from '@lode/kernel'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Plan } from '../plan/index.ts'
import { allocate, computePreview, type ReceiverState, type Receivers } from './rules.ts'

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

const everybody: Receivers = { sponsor: 9n, above: [1n, 2n, 3n, 4n, 5n] }
const receiver = (also: Partial<ReceiverState> = {}): ReceiverState => ({
  level: 1,
  rewards: 0,
  expert: false,
  ...also,
})
const allocateFor = (standings: Record<number, Partial<ReceiverState>>, concerned = everybody, bought = 1) =>
  allocate(plan, { level: bought, price: PRICE }, concerned, (member) => receiver(standings[Number(member)]))

const total = ({ rewards, partner, liquidity, operations, miningFund }: ReturnType<typeof allocate>) =>
  rewards.reduce(
    (sum, { amount, failed }) => (failed ? sum : sum + amount),
    partner + liquidity + operations + miningFund,
  )

describe('the price of a promotion', () => {
  it('is divided as the plan says', () => {
    const { rewards, ...parts } = allocateFor({ 3: { expert: true } })
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

  it('is divided among fewer members above if the plan has fewer layers', () => {
    const twoLayers = { ...plan, upLevelLayers: 2 }
    const { rewards } = allocate(twoLayers, { level: 1, price: PRICE }, everybody, () => receiver())
    expect(
      rewards.filter(({ type }) => type === 'upLevelReward').map(({ member, amount }) => [member, amount]),
    ).toEqual([
      [1n, 5_000_000n],
      [2n, 5_000_000n],
    ])
  })

  it('is shown before the order, with the part of all members above together', () => {
    expect(computePreview(plan, PRICE)).toEqual({
      miningFund: 65_000_000n,
      promotion: 10_000_000n,
      upLevel: 10_000_000n,
      agent: 5_000_000n,
      partner: 3_000_000n,
      liquidity: 5_000_000n,
      operations: 2_000_000n,
    })
  })

  it('goes to the mining fund if there is no receiver, without a missed reward', () => {
    const { rewards, miningFund } = allocateFor({}, { sponsor: null, above: [] })
    expect([rewards, miningFund]).toEqual([[], 90_000_000n])
  })

  it('goes to the mining fund if a receiver is not eligible, and a missed reward says why', () => {
    const { rewards, miningFund } = allocateFor(
      { 9: { level: 0 }, 1: { level: 0 }, 2: { level: 1 }, 3: { expert: true } },
      everybody,
      2,
    )
    expect(rewards.map(({ failed }) => failed)).toEqual([
      ...['not-activated', 'not-activated', 'level-below', 'level-below', 'level-below', 'level-below', 'level-below'],
    ])
    expect(miningFund).toBe(90_000_000n)
  })

  it('rewards the inviter only as often as the inviter’s level allows', () => {
    const failed = (also: Partial<ReceiverState>) => allocateFor({ 9: also }).rewards[0]?.failed
    expect([failed({ rewards: 2 }), failed({ rewards: 3 }), failed({ rewards: 3, level: 2 })]).toEqual([
      ...[null, 'count-reached', null],
    ])
    // The limit on the number of rewards does not apply to up-level rewards.
    expect(allocateFor({ 1: { rewards: 1_000 } }).rewards[1]?.failed).toBeNull()
  })

  it('rewards only the nearest expert; if that one is not eligible, no expert gets it', () => {
    const agents = allocateFor({ 2: { expert: true, level: 0 }, 4: { expert: true } }).rewards.filter(
      ({ type }) => type === 'agentReward',
    )
    expect(agents).toMatchObject([{ member: 2n, failed: 'not-activated' }])
  })

  it('can bring several rewards to one member', () => {
    const { rewards } = allocateFor({ 1: { expert: true } }, { sponsor: 1n, above: [1n] })
    expect(rewards.map(({ member, type }) => [member, type])).toEqual([
      ...[
        [1n, 'promotionReward'],
        [1n, 'upLevelReward'],
        [1n, 'agentReward'],
      ],
    ])
  })
})

const anyReceiver = fc.record({ level: fc.nat(4), rewards: fc.nat(50), expert: fc.boolean() })
const anyReceivers = fc.record({
  sponsor: fc.option(fc.bigInt({ min: 1n, max: 9n })),
  above: fc.uniqueArray(fc.bigInt({ min: 1n, max: 9n }), { maxLength: 5 }),
})
const anyPrice = fc.bigInt({ min: 1n, max: 10n ** 20n }).map(usdt)

describe('for any price and any receivers', () => {
  it('the parts add up to the price to the smallest unit, also in the preview', () => {
    fc.assert(
      fc.property(
        anyPrice,
        anyReceivers,
        fc.array(anyReceiver, { minLength: 10, maxLength: 10 }),
        fc.nat(3),
        (price, concerned, standings, bought) => {
          const standingOf = (member: bigint) => standings[Number(member)] ?? receiver()
          expect(total(allocate(plan, { level: bought + 1, price }, concerned, standingOf))).toBe(price)
          expect(Object.values(computePreview(plan, price)).reduce((sum, part) => sum + part, 0n)).toBe(price)
        },
      ),
    )
  })

  it('without the three rewards the other parts stay the same', () => {
    const allocation = { ...plan.allocation, miningFund: 9_000, promotion: 0, upLevel: 0, agent: 0 }
    fc.assert(
      fc.property(
        anyPrice,
        anyReceivers,
        fc.array(anyReceiver, { minLength: 10, maxLength: 10 }),
        (price, concerned, standings) => {
          const standingOf = (member: bigint) => standings[Number(member)] ?? receiver()
          const bought = { level: 1, price }
          const [full, plain] = [plan, { ...plan, allocation }].map((of) => allocate(of, bought, concerned, standingOf))
          expect(plain?.rewards).toEqual([])
          for (const part of ['partner', 'liquidity', 'operations'] as const) expect(plain?.[part]).toBe(full?.[part])
        },
      ),
    )
  })
})
