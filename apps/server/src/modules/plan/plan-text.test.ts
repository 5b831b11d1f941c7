import { describe, expect, it } from 'vitest'
import { examplePlanText } from '../../testing/plan.ts'
import { parsePlanText, type WrittenPlan } from './plan-text.ts'

const decimals = { USDT: 6, BTN: 18, BTC: 8 }
const example = (): WrittenPlan => JSON.parse(examplePlanText)

function read(text: string, tokens = decimals) {
  const plan = parsePlanText(text, tokens)
  if (!plan.ok) throw new Error(plan.error.join('\n'))
  return plan.value
}

describe('a written plan', () => {
  it('is converted to smallest units with the decimals of each token', () => {
    const { terms } = read(examplePlanText)
    expect(terms.transfer.USDT).toEqual({
      min: 10_000_000n,
      max: 50_000_000_000n,
      fee: 1_000_000n,
      reviewAbove: 5_000_000_000n,
      decisionAbove: 20_000_000_000n,
    })
    expect(terms.transfer.BTC.fee).toBe(5_000n)
    expect(terms.levels[1]).toEqual({
      price: 100_000_000n,
      power: 2,
      airdrop: 12_000n * 10n ** 18n,
      rewardsAtMost: 3,
      quotas: { USDT: 500_000_000n, BTN: 50_000n * 10n ** 18n, BTC: 2_000_000n },
    })
    expect(terms.supply.issuance).toBe(10n ** 27n)
    expect(read(examplePlanText, { ...decimals, USDT: 18 }).terms.levels[1]?.price).toBe(10n ** 20n)
  })

  it('has one canonical spelling, for any spaces and any order of fields', () => {
    const backwards = Object.fromEntries(Object.entries(example()).reverse())
    expect(read(JSON.stringify(backwards)).text).toBe(read(examplePlanText).text)
    expect(read(read(examplePlanText).text).text).toBe(read(examplePlanText).text)
    expect(read(JSON.stringify({ ...example(), closeHour: 13 })).text).not.toBe(read(examplePlanText).text)
  })

  it('may set each of the three reward parts to zero', () => {
    for (const part of ['promotion', 'upLevel', 'agent'] as const) {
      const { allocation, ...rest } = example()
      const without = { ...allocation, [part]: 0, miningFund: allocation.miningFund + allocation[part] }
      expect(read(JSON.stringify({ ...rest, allocation: without })).terms.allocation[part]).toBe(0)
    }
  })
})

describe('a plan that makes no sense', () => {
  type Change = (plan: WrittenPlan) => void
  const levelOf = ({ levels }: WrittenPlan, level: number) => {
    const found = levels[level]
    if (!found) throw new Error(`there is no level ${level}`)
    return found
  }
  const termOf = ({ pledgeTerms }: WrittenPlan, at: number) => {
    const found = pledgeTerms[at]
    if (!found) throw new Error(`there is no term ${at}`)
    return found
  }
  const objections = (change: Change): string[] => {
    const plan = example()
    change(plan)
    const result = parsePlanText(JSON.stringify(plan), decimals)
    return result.ok ? [] : result.error
  }

  const cases: [string, Change, RegExp][] = [
    ['allocates less than all', (plan) => (plan.allocation.miningFund = 6_499), /^allocation: adds up to 9999/],
    ['allocates more than all', (plan) => (plan.allocation.operations = 201), /^allocation: adds up to 10001/],
    ['allocates less than nothing', (plan) => (plan.allocation.partner = -300), /^allocation\.partner/],
    ['allocates parts of a basis point', (plan) => (plan.allocation.agent = 500.5), /^allocation\.agent/],
    [
      'cannot divide the up-level part equally',
      (plan) => (plan.upLevelLayers = 3),
      /cannot be divided equally among 3/,
    ],
    ['rewards more than five layers', (plan) => (plan.upLevelLayers = 6), /^upLevelLayers/],
    ['rewards no layer', (plan) => (plan.upLevelLayers = 0), /^upLevelLayers/],
    ['sells a level for less than the one below', (plan) => (levelOf(plan, 3).price = '199'), /level 3 must cost more/],
    ['sells two levels for the same', (plan) => (levelOf(plan, 3).price = '200'), /level 3 must cost more/],
    ['gives a level away', (plan) => (levelOf(plan, 1).price = '0'), /level 1 must cost more/],
    ['lets the power fall', (plan) => (levelOf(plan, 4).power = 7), /level 4 must have more power/],
    [
      'lets the airdrop fall',
      (plan) => (levelOf(plan, 5).airdrop = '95999'),
      /level 5 must not have a smaller airdrop/,
    ],
    ['lets the rewards fall', (plan) => (levelOf(plan, 2).rewardsAtMost = 2), /level 2 must not have fewer rewards/],
    ['lets a quota of USDT fall', (plan) => (levelOf(plan, 2).quotas.USDT = '499'), /level 2 .* lower quota of USDT/],
    ['lets a quota of BTN fall', (plan) => (levelOf(plan, 3).quotas.BTN = '1'), /level 3 .* lower quota of BTN/],
    ['lets a quota of BTC fall', (plan) => (levelOf(plan, 5).quotas.BTC = '0.1'), /level 5 .* lower quota of BTC/],
    ['has a price for registration', (plan) => (levelOf(plan, 0).price = '1'), /level 0 comes with registration/],
    ['gives power for registration', (plan) => (levelOf(plan, 0).power = 1), /level 0 comes with registration/],
    ['has an airdrop for registration', (plan) => (levelOf(plan, 0).airdrop = '1'), /level 0 comes with registration/],
    ['rewards level 0', (plan) => (levelOf(plan, 0).rewardsAtMost = 1), /level 0 comes with registration/],
    ['has no level to buy', (plan) => plan.levels.splice(1), /must be a level to buy/],
    ['has no level', (plan) => plan.levels.splice(0), /^levels/],
    ['has fractional power', (plan) => (levelOf(plan, 1).power = 0.5), /^levels\.1\.power/],
    ['issues less than all', (plan) => (plan.supply.mining = 2_000), /^supply: adds up to 9500/],
    ['issues nothing', (plan) => (plan.supply.issuance = '0'), /^supply: issuance must be above zero/],
    [
      'has an airdrop for level 1 above its whole reserve',
      (plan) => (plan.supply.issuance = '30000'),
      /levels\.1\.airdrop is more than the whole airdrop reserve/,
    ],
    [
      'has an airdrop for a level above its whole reserve',
      (plan) => {
        plan.supply.promotion = 0
        plan.supply.mining = 4_500
      },
      /levels\.2\.airdrop is more than the whole promotion reserve/,
    ],
    [
      'has an airdrop for partners above its whole reserve',
      (plan) => (plan.partnerAirdrop = '300000001'),
      /partnerAirdrop is more than the whole airdrop reserve/,
    ],
    [
      'has an airdrop for experts above its whole reserve',
      (plan) => (plan.agentAirdrop = '300000001'),
      /agentAirdrop is more than the whole airdrop reserve/,
    ],
    ['burns more than all', (plan) => (plan.destruction = 10_001), /^destruction/],
    ['has no term for pledges', (plan) => plan.pledgeTerms.splice(0), /^pledgeTerms/],
    ['has one term twice', (plan) => (termOf(plan, 1).days = 30), /30 days come after 30/],
    ['has a longer term before a shorter', (plan) => (termOf(plan, 0).days = 100), /90 days come after 100/],
    ['weighs a longer term less', (plan) => (termOf(plan, 3).weight = 12_499), /360 days must not weigh less than 180/],
    ['has a term with weight zero', (plan) => (termOf(plan, 0).weight = 0), /^pledgeTerms\.0\.weight/],
    [
      'has a term with a weight above ten times',
      (plan) => (termOf(plan, 3).weight = 150_000),
      /^pledgeTerms\.3\.weight/,
    ],
    ['has a term of no day', (plan) => (termOf(plan, 0).days = 0), /^pledgeTerms\.0\.days/],
    [
      'has a minimum pledge that is not whole coins',
      (plan) => (plan.pledgeAbove = '10000.5'),
      /pledgeAbove must be whole/,
    ],
    [
      'has an amount that USDT cannot express',
      (plan) => (plan.transfer.USDT.fee = '0.0000001'),
      /USDT\.fee.*6 decimals/,
    ],
    [
      'has an amount that BTC cannot express',
      (plan) => (plan.dayFundingMax = '0.000000001'),
      /dayFundingMax.*8 decimals/,
    ],
    [
      'has a price that USDT cannot express',
      (plan) => (levelOf(plan, 1).price = '100.0000001'),
      /levels\.1\.price.*6 dec/,
    ],
    ['spells an amount another way', (plan) => (plan.transfer.BTC.min = '1e-3'), /^transfer\.BTC\.min/],
    ['has a negative amount', (plan) => (plan.transfer.BTC.fee = '-1'), /^transfer\.BTC\.fee/],
    ['has a minimum above its maximum', (plan) => (plan.transfer.BTN.min = '6000000'), /transfer\.BTN: min must not/],
    ['has no minimum', (plan) => (plan.transfer.BTN.min = '0'), /transfer\.BTN: min must be above zero/],
    [
      'needs two operators below the size that needs a review',
      (plan) => (plan.transfer.BTC.decisionAbove = '0.1'),
      /reviewAbove must not be above/,
    ],
    ['closes at an hour that no day has', (plan) => (plan.closeHour = 24), /^closeHour/],
    ['shares out nothing', (plan) => (plan.dayFundingMax = '0'), /dayFundingMax: must be above zero/],
    ['gives no time to pay', (plan) => (plan.quoteMinutes = 1), /^quoteMinutes/],
    ['gives days to pay', (plan) => (plan.quoteMinutes = 2_000), /^quoteMinutes/],
    ['has an unknown field', (plan) => Object.assign(plan, { guaranteed: '10%' }), /guaranteed/],
    ['has an unknown field in a level', (plan) => Object.assign(levelOf(plan, 1), { yield: '10%' }), /yield/],
    ['has an unknown field in the allocation', (plan) => Object.assign(plan.allocation, { owner: 1 }), /owner/],
    ['names its own version', (plan) => Object.assign(plan, { version: 7 }), /version/],
    ['lacks a field', (plan) => Reflect.deleteProperty(plan, 'closeHour'), /^closeHour/],
  ]

  it.each(cases)('is refused if it %s', (_what, change, words) => {
    expect(objections(change).join('\n')).toMatch(new RegExp(words.source, 'm'))
  })

  it('is refused with all objections at once', () => {
    const found = objections((plan) => {
      plan.transfer.USDT.fee = 'x'
      plan.transfer.BTC.fee = 'y'
      plan.closeHour = -1
    })
    expect(found.join('\n')).toMatch(/USDT\.fee[\s\S]*BTC\.fee[\s\S]*closeHour/)
  })

  it('is refused if it is not JSON', () => {
    expect(parsePlanText('no plan', decimals)).toMatchObject({
      ok: false,
      error: [expect.stringContaining('not JSON')],
    })
  })
})
