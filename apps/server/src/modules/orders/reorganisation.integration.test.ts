import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Market, openMarket } from '../../testing/market.ts'
import { soon } from '../../testing/pool.ts'

let market: Market
beforeAll(async () => {
  // Sixteen blocks until finality: more than the depth of any reorganization in this file.
  market = await openMarket({ wallets: 2, slotsInAnEpoch: 8 })
  await market.startWorker()
  await market.finalize()
}, 120_000)
afterAll(() => market.close())

describe('a reorganisation', { timeout: 120_000 }, () => {
  it('takes a confirming order back to paying, with the quote that it had, which then can be paid after all', async () => {
    const buyer = await market.buyer()
    const { id, quote } = await market.made(buyer)
    await market.pay(buyer.wallet, quote)
    await soon(async () => expect(await market.detail(buyer, id)).toMatchObject({ state: 'confirming' }))
    await market.reorganise(1)
    await soon(async () => expect(await market.detail(buyer, id)).toMatchObject({ state: 'paying', quote }))
    expect((await market.overview(buyer)).level).toBe(0)

    // The token approval was in an earlier block, which the reorganization did not replace.
    if (!quote) throw new Error('there is nothing to pay')
    await market.mined(market.send(buyer.wallet, market.contracts.vault, market.payData(quote)))
    await market.finalize()
    expect(await market.detail(buyer, id)).toMatchObject({ state: 'success' })
    expect((await market.overview(buyer)).level).toBe(1)
  })

  it('takes one that was cancelled while it was paid back to closing', async () => {
    const buyer = await market.buyer()
    const { id, quote } = await market.made(buyer)
    await market.cancel(buyer, id)
    await market.pay(buyer.wallet, quote)
    await soon(async () => expect(await market.detail(buyer, id)).toMatchObject({ state: 'confirming' }))
    await market.reorganise(1)
    await soon(async () => expect(await market.detail(buyer, id)).toMatchObject({ state: 'closing', quote: null }))
  })
})
