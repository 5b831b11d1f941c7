import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OrderFixture, startOrderFixture } from '../../testing/order-fixture.ts'
import { waitUntil } from '../../testing/pool.ts'

let market: OrderFixture
beforeAll(async () => {
  // Sixteen blocks until finality: more than the depth of any reorganization in this file.
  market = await startOrderFixture({ wallets: 2, slotsInAnEpoch: 8 })
  await market.startWorker()
  await market.finalize()
}, 120_000)
afterAll(() => market.close())

describe('a reorganization', { timeout: 120_000 }, () => {
  it('sets a confirming order back to paying, with the same quote, which can be paid again', async () => {
    const buyer = await market.buyer()
    const { id, quote } = await market.placeOrder(buyer)
    await market.pay(buyer.wallet, quote)
    await waitUntil(async () => expect(await market.readOrder(buyer, id)).toMatchObject({ state: 'confirming' }))
    await market.reorganize(1)
    await waitUntil(async () => expect(await market.readOrder(buyer, id)).toMatchObject({ state: 'paying', quote }))
    expect((await market.readOverview(buyer)).level).toBe(0)

    // The token approval was in an earlier block, which the reorganization did not replace.
    if (!quote) throw new Error('there is nothing to pay')
    await market.mined(market.send(buyer.wallet, market.contracts.vault, market.payData(quote)))
    await market.finalize()
    expect(await market.readOrder(buyer, id)).toMatchObject({ state: 'success' })
    expect((await market.readOverview(buyer)).level).toBe(1)
  })

  it('sets a canceled order whose payment was seen back to closing', async () => {
    const buyer = await market.buyer()
    const { id, quote } = await market.placeOrder(buyer)
    await market.cancelOrder(buyer, id)
    await market.pay(buyer.wallet, quote)
    await waitUntil(async () => expect(await market.readOrder(buyer, id)).toMatchObject({ state: 'confirming' }))
    await market.reorganize(1)
    await waitUntil(async () =>
      expect(await market.readOrder(buyer, id)).toMatchObject({ state: 'closing', quote: null }),
    )
  })
})
