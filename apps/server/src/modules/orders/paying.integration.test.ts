import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Buyer, type Market, openMarket } from '../../testing/market.ts'
import { soon } from '../../testing/pool.ts'
import { balances, logLines } from '../ledger/index.ts'

const USDT = 1_000_000n
const THIRTY_MINUTES = 30 * 60

let market: Market
beforeAll(async () => {
  market = await openMarket({ wallets: 14 })
  await market.startWorker()
  await market.finalize()
}, 120_000)
afterAll(() => market.close())
afterEach(async () => {
  const { books, chain } = await market.custody()
  expect(books).toEqual(chain)
})

const held = async ({ id }: Buyer) => (await balances(market.db, id)).USDT
const levelOf = async (buyer: Buyer) => (await market.overview(buyer)).level
const lines = ({ id }: Buyer, asset: 'USDT' | 'BTN' = 'USDT') => logLines(market.db, { member: id, asset, limit: 20 })

/** Moves the chain's time past the deadline and waits until the worker has posted that block. */
async function passDeadline(): Promise<void> {
  await market.pass(THIRTY_MINUTES + 60)
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
  it('is paying, then confirming, then success, and never passes the balance', async () => {
    const buyer = await market.buyer()
    const order = await market.made(buyer)
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
    await soon(async () => expect(await market.detail(buyer, order.id)).toMatchObject({ status: 3, tx, quote: null }))
    const assets = await market.api.call('wallet/assets', { account: buyer.wallet.address }, buyer)
    expect(assets.body.data.items.find(({ symbol }) => symbol === 'USDT')).toMatchObject({ incoming: '0' })
    expect(await levelOf(buyer)).toBe(0)

    await market.finalize()
    expect(await market.detail(buyer, order.id)).toMatchObject({
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

  it('is offered again with the same quote for as long as it can be paid, whoever asks how often', async () => {
    const buyer = await market.buyer()
    const { id, quote } = await market.made(buyer)
    expect((await market.detail(buyer, id)).quote).toEqual(quote)
    const second = await market.order(buyer)
    expect([second.status, second.body.reason]).toEqual([409, 'order-open'])
    expect((await market.overview(buyer)).open).toMatchObject({ id, quote })
    await market.clock.advance(60)
    await market.finalize()
    expect((await market.detail(buyer, id)).quote).toEqual(quote)

    await passDeadline()
    await soon(async () => expect(await market.detail(buyer, id)).toMatchObject({ status: 0, failure: 'expired' }))
    await expect(market.pay(buyer.wallet, quote)).rejects.toThrow()
    // After that a new order can be made, with its own deadline.
    const next = await market.made(buyer)
    expect(next.quote?.deadline).toBeGreaterThan(quote?.deadline ?? 0)
    await market.cancel(buyer, next.id)
  })

  it('shows what the client says of its payment until the chain itself tells', async () => {
    const buyer = await market.buyer()
    const { id, quote } = await market.made(buyer)
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
    await soon(async () => expect((await payments()).items).toMatchObject([{ state: 'confirming', tx }]))
    await market.finalize()
    expect(await payments()).toMatchObject({ items: [{ state: 'confirmed', tx }], total: 1, successes: 1 })
    const list = await market.api.call('order/list', { account, type: '1' }, buyer)
    expect(list.body.data).toMatchObject({ type: 1, total: 1, successes: 1, items: [{ id, status: 1 }] })
  })
})

describe('an order that is paid in part from the balance', { timeout: 120_000 }, () => {
  it('puts that part aside, and settles both when the chain’s part is final', async () => {
    const buyer = await withBalance(60n * USDT)
    const order = await market.made(buyer, { balancePart: '40.5' })
    expect(order).toMatchObject({ method: 3, balancePart: '40.5', payAmount: '59.5' })
    expect(await held(buyer)).toMatchObject({ available: 19_500_000n, frozenOrder: 40_500_000n })
    await market.pay(buyer.wallet, order.quote)
    await market.finalize()
    expect(await market.detail(buyer, order.id)).toMatchObject({ status: 1 })
    expect(await held(buyer)).toMatchObject({ available: 19_500_000n, frozenOrder: 0n })
    expect(await lines(buyer)).toMatchObject([
      { type: 'upLevelByBalance', status: 'confirmed', amount: -40_500_000n },
      { type: 'transferIn' },
    ])
  })

  it('gives it back when it was not paid, and not before the chain has passed the deadline', async () => {
    const buyer = await withBalance(60n * USDT)
    const { id } = await market.made(buyer, { balancePart: '60' })
    const cancelled = await market.cancel(buyer, id)
    expect(cancelled.body.data).toMatchObject({ status: 2, state: 'closing', quote: null, cancellable: false })
    expect(cancelled.body.data.closesAt).not.toBeNull()
    await market.finalize()
    expect(await held(buyer)).toMatchObject({ available: 0n, frozenOrder: 60n * USDT })
    expect((await market.order(buyer)).body.reason).toBe('order-open')

    await passDeadline()
    await soon(async () => expect(await market.detail(buyer, id)).toMatchObject({ status: 0, failure: 'cancelled' }))
    expect(await held(buyer)).toMatchObject({ available: 60n * USDT, frozenOrder: 0n })
    expect((await lines(buyer))[0]).toMatchObject({ type: 'upLevelByBalance', status: 'canceled' })
  })
})

describe('a payment', { timeout: 120_000 }, () => {
  it('that was on its way when its order was cancelled settles it', async () => {
    const buyer = await withBalance(10n * USDT)
    const order = await market.made(buyer, { balancePart: '10' })
    await market.cancel(buyer, order.id)
    const tx = await market.pay(buyer.wallet, order.quote)
    await soon(async () => expect(await market.detail(buyer, order.id)).toMatchObject({ status: 3, tx }))
    expect((await market.cancel(buyer, order.id, randomUUID())).status).toBe(200)
    await market.finalize()
    expect(await market.detail(buyer, order.id)).toMatchObject({ status: 1, failure: null })
    expect([await levelOf(buyer), (await held(buyer)).frozenOrder]).toEqual([1, 0n])
    expect((await market.cancel(buyer, order.id)).body.reason).toBe('order-completed')
  })

  it('that is seen keeps its order from being cancelled', async () => {
    const buyer = await market.buyer()
    const order = await market.made(buyer)
    await market.pay(buyer.wallet, order.quote)
    await soon(async () => expect(await market.detail(buyer, order.id)).toMatchObject({ status: 3 }))
    const refused = await market.cancel(buyer, order.id)
    expect([refused.status, refused.body.reason]).toEqual([409, 'order-completed'])
    await market.finalize()
  })

  it('by another wallet is refused by the vault', async () => {
    const [buyer, stranger] = [await market.buyer(), market.key('funder')]
    const { id, quote } = await market.made(buyer)
    await expect(
      market.mined(market.send(stranger, market.contracts.vault, market.payData(quote as never))),
    ).rejects.toThrow('reverted')
    await market.cancel(buyer, id)
  })

  it('on a quote that a thief of the key signed is its payer’s deposit, whatever order it names', async () => {
    const buyer = await market.buyer()
    const { id, quote } = await market.made(buyer)
    if (!quote) throw new Error('no quote')
    const less = await market.forge({ ...quote, amount: String(1n * USDT) })
    const unknown = await market.forge({ ...quote, orderId: `0x${'00'.repeat(31)}07`, amount: String(2n * USDT) })
    const again = await market.forge({ ...quote, deadline: quote.deadline + 60 })
    await market.pay(buyer.wallet, less)
    await market.pay(buyer.wallet, unknown)
    await market.pay(buyer.wallet, quote)
    await market.pay(buyer.wallet, again)
    await market.finalize()
    expect(await market.detail(buyer, id)).toMatchObject({ status: 1 })
    expect(await levelOf(buyer)).toBe(1)
    expect((await held(buyer)).available).toBe(103n * USDT)
    expect((await lines(buyer)).map(({ type }) => type)).toEqual(['transferIn', 'transferIn', 'transferIn'])
  })

  it('for a level that is held already is credited, and its order fails and gives back what was put aside', async () => {
    const buyer = await withBalance(10n * USDT)
    const order = await market.made(buyer, { balancePart: '10' })
    await sql`update lode.member set level = 1 where id = ${buyer.id}`.execute(market.db)
    await market.pay(buyer.wallet, order.quote)
    await market.finalize()
    expect(await market.detail(buyer, order.id)).toMatchObject({ status: 0, failure: 'level-already-held' })
    expect(await held(buyer)).toMatchObject({ available: 100n * USDT, frozenOrder: 0n })
    const { body } = await market.api.call('order/payments', { account: buyer.wallet.address }, buyer)
    expect(body.data.items).toMatchObject([{ orderId: order.id, state: 'credited' }])
  })

  it('is settled once, however often the chain is read again', async () => {
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
