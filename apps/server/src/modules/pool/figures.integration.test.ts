import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi } from '../../testing/api.ts'
import { type Market, openMarket } from '../../testing/market.ts'

const USDT = 1_000_000n

let market: Market
beforeAll(async () => {
  market = await openMarket()
  await market.startWorker()
  await market.finalize()
}, 120_000)
afterAll(() => market.close())

describe('what everybody may know of a pool', { timeout: 120_000 }, () => {
  it('is nothing sold and no plan, where nothing was published', async () => {
    const api = await startTestApi()
    try {
      const { data } = (await api.call('pool/figures', {})).body
      expect(data).toMatchObject({ transfersOverdue: 0, plan: null })
      expect(data.liquidity).toEqual([
        { symbol: 'USDT', amount: '0' },
        { symbol: 'BTN', amount: '0' },
      ])
      expect(data.totals).toMatchObject({ members: 1, units: 0, power: 0, investment: '0', pledges: 0, pledged: '0' })
      expect(data.production).toEqual({ effective: '0', last: null })
    } finally {
      await api.close()
    }
  })

  it('is what was sold, what of it went to the mining fund, the liquidity in each symbol, and the ratios of the plan', async () => {
    const buyer = await market.buyer()
    await market.deposit(buyer.wallet, 'USDT', 400n * USDT)
    await market.finalize()
    await market.made(buyer, { level: 1, balancePart: '100' })
    await market.made(buyer, { level: 2, balancePart: '200' })
    // One that is only ordered is not sold.
    await market.made(buyer, { level: 3, balancePart: '0' })

    const before = Date.now()
    const { data } = (await market.api.call('pool/figures', {})).body
    // The root, who is not activated, misses its parts, and nobody is an expert: 90 of a hundred go to the mining fund.
    expect(data.totals).toMatchObject({ members: 2, units: 2, power: 6, investment: '270' })
    expect(data.liquidity[0]).toEqual({ symbol: 'USDT', amount: '15' })
    expect(data.plan).toEqual({
      ...{ version: 1, issuance: '1000000000', airdrop: 3_000, promotion: 2_000, destruction: 5_000 },
    })
    for (const at of [data.at, data.totals.at]) expect(Math.abs(Date.parse(at) - before)).toBeLessThan(60_000)
  })

  it('is counted for all who ask, not for each', async () => {
    const first = (await market.api.call('pool/figures', {})).body.data
    await sql`select pg_sleep(0.01)`.execute(market.db)
    expect((await market.api.call('pool/figures', {})).body.data).toEqual(first)
  })
})
