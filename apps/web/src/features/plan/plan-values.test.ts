import type { DataOf } from '@lode/wire'
import { describe, expect, it } from 'vitest'
import type { TextFunction } from '../../shared/i18n/index.ts'
import { findPlanValue } from './plan-values.ts'
import { valueText } from './value-text.ts'

const terms = { min: '10', max: '50000', fee: '1', reviewAbove: '5000', decisionAbove: '20000' }
const plan: DataOf<'plan/current'>['plan'] = {
  levels: [
    { price: '0', power: 0, airdrop: '0', rewardsAtMost: 0, quotas: { USDT: '100', BTN: '10000', BTC: '0.01' } },
    { price: '100', power: 2, airdrop: '12000', rewardsAtMost: 3, quotas: { USDT: '500', BTN: '50000', BTC: '0.02' } },
  ],
  allocation: {
    miningFund: 6500,
    promotion: 1000,
    upLevel: 1000,
    agent: 500,
    partner: 300,
    liquidity: 500,
    operations: 200,
  },
  upLevelLayers: 5,
  supply: { issuance: '1000000000', airdrop: 3000, promotion: 2000, liquidity: 2500, mining: 2500 },
  destruction: 5000,
  agentAirdrop: '50000',
  partnerAirdrop: '500000',
  pledgeAbove: '10000',
  pledgeTerms: [{ days: 30, weight: 10_000 }],
  transfer: { USDT: terms, BTN: terms, BTC: terms },
  closeHour: 12,
  dayFundingMax: '2',
  quoteMinutes: 30,
}

const pathsIn = (value: unknown, path = ''): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, below]) => pathsIn(below, path === '' ? name : `${path}.${name}`))
    : [path]

/** Returns the key and the values of the text that was asked for. */
const t = ((key: string, values?: object) => `${key}${values ? JSON.stringify(values) : ''}`) as unknown as TextFunction
const shownTexts = (path: string, value: string) => {
  const fact = findPlanValue(path)
  return fact && [fact.name(t), valueText(t, fact.unit, value)]
}

describe('a value of the plan', () => {
  it.each(pathsIn(plan))('%s has a name for members', (path) => {
    expect(findPlanValue(path)).not.toBeNull()
  })

  it('has a name that no other value has', () => {
    const names = pathsIn(plan).map((path) => findPlanValue(path)?.name(t))
    expect(new Set(names).size).toBe(names.length)
  })

  it('is shown with its unit', () => {
    expect(shownTexts('levels.2.price', '1600')?.[1]).toBe('1,600\u00a0USDT')
    expect(shownTexts('levels.2.quotas.BTC', '0.5')?.[1]).toBe('0.5\u00a0BTC')
    expect(shownTexts('levels.2.power', '32')?.[1]).toBe('32\u00a0TH/s')
    expect(shownTexts('allocation.agent', '250')?.[1]).toBe('2.5%')
    expect(shownTexts('pledgeTerms.1.weight', '11000')?.[1]).toBe('×1.10')
    expect(shownTexts('pledgeTerms.1.weight', '11005')?.[1]).toBe('×1.1005')
    expect(shownTexts('closeHour', '6')?.[1]).toBe('06:00\u00a0UTC')
    expect(shownTexts('quoteMinutes', '30')?.[1]).toBe('dao.minutes{"count":30}')
    expect(shownTexts('transfer.BTC.fee', '0.00005')?.[1]).toBe('0.00005\u00a0BTC')
  })

  it('numbers pledge terms from one', () => {
    expect(shownTexts('pledgeTerms.0.days', '30')?.[0]).toContain('"number":1')
  })

  it.each(['levels.1.shine', 'levels.1.quotas.DOGE', 'transfer.USDT.mood', 'allocation.friends', 'weather', ''])(
    'has no name at the unknown path %j',
    (path) => {
      expect(findPlanValue(path)).toBeNull()
    },
  )
})
