import type { DataOf } from '@lode/wire'
import type { TFunction } from 'i18next'
import { describe, expect, it } from 'vitest'
import { factAt } from './plan-facts.ts'
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
const t = ((key: string, values?: object) => `${key}${values ? JSON.stringify(values) : ''}`) as unknown as TFunction
const wordsAt = (path: string, value: string) => {
  const fact = factAt(path)
  return fact && [fact.name(t), valueText(t, fact.unit, value)]
}

describe('a value of the plan', () => {
  it.each(pathsIn(plan))('%s has words of its own', (path) => {
    expect(factAt(path)).not.toBeNull()
  })

  it('has words that no other has', () => {
    const names = pathsIn(plan).map((path) => factAt(path)?.name(t))
    expect(new Set(names).size).toBe(names.length)
  })

  it('is shown in what it is counted in', () => {
    expect(wordsAt('levels.2.price', '1600')?.[1]).toBe('1,600\u00a0USDT')
    expect(wordsAt('levels.2.quotas.BTC', '0.5')?.[1]).toBe('0.5\u00a0BTC')
    expect(wordsAt('levels.2.power', '32')?.[1]).toBe('32\u00a0TH/s')
    expect(wordsAt('allocation.agent', '250')?.[1]).toBe('2.5%')
    expect(wordsAt('pledgeTerms.1.weight', '11000')?.[1]).toBe('×1.10')
    expect(wordsAt('pledgeTerms.1.weight', '11005')?.[1]).toBe('×1.1005')
    expect(wordsAt('closeHour', '6')?.[1]).toBe('06:00\u00a0UTC')
    expect(wordsAt('quoteMinutes', '30')?.[1]).toBe('dao.minutes{"count":30}')
    expect(wordsAt('transfer.BTC.fee', '0.00005')?.[1]).toBe('0.00005\u00a0BTC')
  })

  it('counts terms from one, as people do', () => {
    expect(wordsAt('pledgeTerms.0.days', '30')?.[0]).toContain('"number":1')
  })

  it.each(['levels.1.shine', 'levels.1.quotas.DOGE', 'transfer.USDT.mood', 'allocation.friends', 'weather', ''])(
    '%j, of which nothing is known, has none',
    (path) => {
      expect(factAt(path)).toBeNull()
    },
  )
})
