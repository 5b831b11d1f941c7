import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Buyer, type OrderFixture, startOrderFixture } from '../../testing/order-fixture.ts'
import { waitUntil } from '../../testing/pool.ts'
import { readBalances, readLogLines } from '../ledger/index.ts'

const USDT = 1_000_000n
const THIRTY_MINUTES = 30 * 60

let market: OrderFixture
beforeAll(async () => {
  market = await startOrderFixture({ wallets: 14 })
  await market.startWorker()
  await market.finalize()
}, 120_000)
afterAll(() => market.close())
afterEach(async () => {
  const { books, chain } = await market.readCustody()
  expect(books).toEqual(chain)
})

const held = async ({ id }: Buyer) => (await readBalances(market.db, id)).USDT
const levelOf = async (buyer: Buyer) => (await market.readOverview(buyer)).level
const lines = ({ id }: Buyer, asset: 'USDT' | 'BTN' = 'USDT') =>
  readLogLines(market.db, { member: id, asset, limit: 20 })

/** Moves the chain's time past the deadline and waits until the worker has posted that block. */
async function passDeadline(): Promise<void> {
  await market.passTime(THIRTY_MINUTES + 60)
  await market.finalize()
}

/** A buyer with this amount in the balance. */
async function withBalance(amount: bigint): Promise<Buyer> {
  const buyer = await market.buyer()
  await market.deposit(buyer.wallet, 'USDT', amount)
  await market.finalize()
  return buyer
}

describe('an order that is paid online', { timeout: 120_000 }, () => {
  it('is paying, then confirming, then success, and never enters the balance', async () => {
    const buyer = await market.buyer()
    const order = await market.placeOrder(buyer)
    expect(order).toMatchObject({
      type: 1,
      status: 2,
      state: 'paying',
      method: 1,
      amount: '100',
      balancePart: '0',
      payAmount: '100',
      level: 1,
      power: 2,
      airdrop: { amount: '12000', paid: null },
      cancellable: true,
    })
    const tx = await market.pay(buyer.wallet, order.quote)
    await waitUntil(async () =>
      expect(await market.readOrder(buyer, order.id)).toMatchObject({ status: 3, tx, quote: null }),
    )
    const assets = await market.api.call('wallet/assets', { account: buyer.wallet.address }, buyer)
    expect(assets.body.data.items.find(({ symbol }) => symbol === 'USDT')).toMatchObject({ incoming: '0' })
    expect(await levelOf(buyer)).toBe(0)

    await market.finalize()
    expect(await market.readOrder(buyer, order.id)).toMatchObject({
      status: 1,
      state: 'success',
      tx,
      airdrop: { paid: true },
      quote: null,
      cancellable: false,
    })
    expect(await levelOf(buyer)).toBe(1)
    expect(await held(buyer)).toMatchObject({ available: 0n, frozenOrder: 0n })
    expect((await lines(buyer)).map(({ type }) => type)).toEqual([])
    expect((await lines(buyer, 'BTN')).map(({ type }) => type)).toEqual(['airdropForActive'])
  })

  it('keeps the same quote for as long as it can be paid', async () => {
    const buyer = await market.buyer()
    const { id, quote } = await market.placeOrder(buyer)
    expect((await market.readOrder(buyer, id)).quote).toEqual(quote)
    const second = await market.order(buyer)
    expect([second.status, second.body.reason]).toEqual([409, 'order-open'])
    expect((await market.readOverview(buyer)).open).toMatchObject({ id, quote })
    await market.clock.advance(60)
    await market.finalize()
    expect((await market.readOrder(buyer, id)).quote).toEqual(quote)

    await passDeadline()
    await waitUntil(async () =>
      expect(await market.readOrder(buyer, id)).toMatchObject({ status: 0, failure: 'expired' }),
    )
    await expect(market.pay(buyer.wallet, quote)).rejects.toThrow()
    // After that a new order can be made, with its own deadline.
    const next = await market.placeOrder(buyer)
    expect(next.quote?.deadline).toBeGreaterThan(quote?.deadline ?? 0)
    await market.cancelOrder(buyer, next.id)
  })

  it('shows the transaction that the client reports until the payment is seen on the chain', async () => {
    const buyer = await market.buyer()
    const { id, quote } = await market.placeOrder(buyer)
    const account = buyer.wallet.address
    const said = `0x${'ab'.repeat(32)}`
    const told = await market.api.call('order/submitted', { account, id, tx: said }, buyer)
    expect(told.body.data).toMatchObject({ state: 'paying', tx: said })
    const payments = async () => (await market.api.call('order/payments', { account }, buyer)).body.data
    expect(await payments()).toMatchObject({
      items: [{ orderId: id, state: 'sent', tx: said }],
      total: 1,
      successes: 0,
    })
    const tx = await market.pay(buyer.wallet, quote)
    await waitUntil(async () => expect((await payments()).items).toMatchObject([{ state: 'confirming', tx }]))
    await market.finalize()
    expect(await payments()).toMatchObject({ items: [{ state: 'confirmed', tx }], total: 1, successes: 1 })
    const list = await market.api.call('order/list', { account, type: '1' }, buyer)
    expect(list.body.data).toMatchObject({ type: 1, total: 1, successes: 1, items: [{ id, status: 1 }] })
  })
})

describe('an order that is paid in part from the balance', { timeout: 120_000 }, () => {
  it('freezes that part, and settles both when the online part is final', async () => {
    const buyer = await withBalance(60n * USDT)
    const order = await market.placeOrder(buyer, { balancePart: '40.5' })
    expect(order).toMatchObject({ method: 3, balancePart: '40.5', payAmount: '59.5' })
    expect(await held(buyer)).toMatchObject({ available: 19_500_000n, frozenOrder: 40_500_000n })
    await market.pay(buyer.wallet, order.quote)
    await market.finalize()
    expect(await market.readOrder(buyer, order.id)).toMatchObject({ status: 1 })
    expect(await held(buyer)).toMatchObject({ available: 19_500_000n, frozenOrder: 0n })
    expect(await lines(buyer)).toMatchObject([
      { type: 'upLevelByBalance', status: 'confirmed', amount: -40_500_000n },
      { type: 'transferIn' },
    ])
  })

  it('unfreezes it only after a block past the deadline shows that it was not paid', async () => {
    const buyer = await withBalance(60n * USDT)
    const { id } = await market.placeOrder(buyer, { balancePart: '60' })
    const cancelled = await market.cancelOrder(buyer, id)
    expect(cancelled.body.data).toMatchObject({ status: 2, state: 'closing', quote: null, cancellable: false })
    expect(cancelled.body.data.closesAt).not.toBeNull()
    await market.finalize()
    expect(await held(buyer)).toMatchObject({ available: 0n, frozenOrder: 60n * USDT })
    expect((await market.order(buyer)).body.reason).toBe('order-open')

    await passDeadline()
    await waitUntil(async () =>
      expect(await market.readOrder(buyer, id)).toMatchObject({ status: 0, failure: 'cancelled' }),
    )
    expect(await held(buyer)).toMatchObject({ available: 60n * USDT, frozenOrder: 0n })
    expect((await lines(buyer))[0]).toMatchObject({ type: 'upLevelByBalance', status: 'canceled' })
  })
})

describe('a payment', { timeout: 120_000 }, () => {
  it('that was sent before its order was canceled still settles the order', async () => {
    const buyer = await withBalance(10n * USDT)
    const order = await market.placeOrder(buyer, { balancePart: '10' })
    await market.cancelOrder(buyer, order.id)
    const tx = await market.pay(buyer.wallet, order.quote)
    await waitUntil(async () => expect(await market.readOrder(buyer, order.id)).toMatchObject({ status: 3, tx }))
    expect((await market.cancelOrder(buyer, order.id, randomUUID())).status).toBe(200)
    await market.finalize()
    expect(await market.readOrder(buyer, order.id)).toMatchObject({ status: 1, failure: null })
    expect([await levelOf(buyer), (await held(buyer)).frozenOrder]).toEqual([1, 0n])
    expect((await market.cancelOrder(buyer, order.id)).body.reason).toBe('order-completed')
  })

  it('that is seen prevents the cancellation of its order', async () => {
    const buyer = await market.buyer()
    const order = await market.placeOrder(buyer)
    await market.pay(buyer.wallet, order.quote)
    await waitUntil(async () => expect(await market.readOrder(buyer, order.id)).toMatchObject({ status: 3 }))
    const refused = await market.cancelOrder(buyer, order.id)
    expect([refused.status, refused.body.reason]).toEqual([409, 'order-completed'])
    await market.finalize()
  })

  it('by another wallet is refused by the vault', async () => {
    const [buyer, stranger] = [await market.buyer(), market.accountOf('funder')]
    const { id, quote } = await market.placeOrder(buyer)
    await expect(
      market.mined(market.send(stranger, market.contracts.vault, market.payData(quote as never))),
    ).rejects.toThrow('reverted')
    await market.cancelOrder(buyer, id)
  })

  it('with a quote forged with a stolen key becomes a deposit of its payer', async () => {
    const buyer = await market.buyer()
    const { id, quote } = await market.placeOrder(buyer)
    if (!quote) throw new Error('no quote')
    const less = await market.forgeQuote({ ...quote, amount: String(1n * USDT) })
    const unknown = await market.forgeQuote({ ...quote, orderId: `0x${'00'.repeat(31)}07`, amount: String(2n * USDT) })
    const again = await market.forgeQuote({ ...quote, deadline: quote.deadline + 60 })
    await market.pay(buyer.wallet, less)
    await market.pay(buyer.wallet, unknown)
    await market.pay(buyer.wallet, quote)
    await market.pay(buyer.wallet, again)
    await market.finalize()
    expect(await market.readOrder(buyer, id)).toMatchObject({ status: 1 })
    expect(await levelOf(buyer)).toBe(1)
    expect((await held(buyer)).available).toBe(103n * USDT)
    expect((await lines(buyer)).map(({ type }) => type)).toEqual(['transferIn', 'transferIn', 'transferIn'])
  })

  it('for a level that the member already holds is credited; the order fails and unfreezes its part', async () => {
    const buyer = await withBalance(10n * USDT)
    const order = await market.placeOrder(buyer, { balancePart: '10' })
    await sql`update lode.member set level = 1 where id = ${buyer.id}`.execute(market.db)
    await market.pay(buyer.wallet, order.quote)
    await market.finalize()
    expect(await market.readOrder(buyer, order.id)).toMatchObject({ status: 0, failure: 'level-already-held' })
    expect(await held(buyer)).toMatchObject({ available: 100n * USDT, frozenOrder: 0n })
    const { body } = await market.api.call('order/payments', { account: buyer.wallet.address }, buyer)
    expect(body.data.items).toMatchObject([{ orderId: order.id, state: 'credited' }])
  })

  it('is settled once, even if the chain is read again', async () => {
    const { rows: before } = await sql`select id, ended, settlement, paid_tx from lode.pay_order order by id`.execute(
      market.db,
    )
    const { rows: rewards } = await sql`select * from lode.reward order by id`.execute(market.db)
    await sql`
      update lode.chain_state set posted_number = ${market.contracts.firstBlock}, posted_hash = null`.execute(market.db)
    await market.finalize()
    const { rows: after } = await sql`select id, ended, settlement, paid_tx from lode.pay_order order by id`.execute(
      market.db,
    )
    expect(after).toEqual(before)
    expect((await sql`select * from lode.reward order by id`.execute(market.db)).rows).toEqual(rewards)
  })
})
