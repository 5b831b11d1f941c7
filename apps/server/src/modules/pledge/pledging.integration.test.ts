import { randomUUID } from 'node:crypto'
import { poolVaultAbi } from '@lode/contracts'
import { dayOf, entitled } from '@lode/kernel'
import type { DataOf, RequestOf } from '@lode/wire'
import { sql } from 'kysely'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readClock } from '../../platform/clock/clock.ts'
import { connectDatabase, type DatabaseConnection } from '../../platform/db/database.ts'
import { disableMember } from '../../testing/disabled-member.ts'
import { PASSWORD } from '../../testing/member.ts'
import { type Buyer, type OrderFixture, startOrderFixture } from '../../testing/order-fixture.ts'
import { waitUntil } from '../../testing/pool.ts'
import { audit, codeOf, readBalances } from '../ledger/index.ts'
import { createOperators } from '../operators/index.ts'
import { createPlans } from '../plan/index.ts'
import { closeDays, returnPledges } from './close-days.ts'

const BTN = 10n ** 18n
const DAY_SECONDS = 86_400

let market: OrderFixture
let worker: DatabaseConnection
beforeAll(async () => {
  market = await startOrderFixture({ wallets: 7 })
  worker = connectDatabase(market.database.urlOf('lode_worker'), { name: 'test', max: 2 })
  await market.startWorker()
  await market.finalize()
}, 120_000)
afterAll(async () => {
  await worker.close()
  await market.close()
})

type Pledging = Partial<Omit<RequestOf<'pledge/order'>, 'account'>>
type PledgeOrder = DataOf<'pledge/order'>

const order = ({ wallet, token }: Buyer, pledging: Pledging = {}) => {
  const { balancePart = '0' } = pledging
  return market.api.call(
    'pledge/order',
    {
      account: wallet.address,
      key: randomUUID(),
      planVersion: 1,
      quantity: '10001',
      termDays: 30,
      balancePart,
      ...(balancePart === '0' ? {} : { password: PASSWORD }),
      ...pledging,
    },
    { token },
  )
}

async function makeOrder(buyer: Buyer, pledging: Pledging = {}): Promise<PledgeOrder> {
  const { status, body } = await order(buyer, pledging)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.data
}

async function pay(buyer: Buyer, { quote }: PledgeOrder): Promise<Hex> {
  if (!quote) throw new Error('there is nothing to pay')
  await market.approve(buyer.wallet, 'BTN', BigInt(quote.amount))
  return market.mined(market.send(buyer.wallet, market.contracts.vault, market.payData(quote)))
}

const accountOf = ({ wallet }: Buyer) => ({ account: wallet.address })
const overview = async (buyer: Buyer) => (await market.api.call('pledge/overview', accountOf(buyer), buyer)).body.data
const records = async (buyer: Buyer, also: object = {}) =>
  (await market.api.call('pledge/records', { ...accountOf(buyer), ...also }, buyer)).body.data
const days = async (buyer: Buyer) => (await market.api.call('pledge/days', accountOf(buyer), buyer)).body.data
const table = async (also: object = {}) => (await market.api.call('pool/days', also)).body.data
const held = async ({ id }: Buyer) => readBalances(market.db, id)

async function withBtn(amount: bigint): Promise<Buyer> {
  const buyer = await market.buyer()
  await market.deposit(buyer.wallet, 'BTN', amount)
  await market.finalize()
  return buyer
}

/** Moves the clock to an afternoon, `count` days later, and closes all days that are due. */
async function nextAfternoon(count = 1): Promise<void> {
  const now = await readClock(market.db)
  const into = (now.getTime() / 1_000) % DAY_SECONDS
  await market.passTime(Math.round(count * DAY_SECONDS + 13 * 3_600 - into))
  await market.finalize()
  const { vault, chainId } = market.contracts
  await closeDays(worker.db, {
    plans: createPlans({ decimals: { USDT: 6, BTN: 18, BTC: 8 }, operators: null }),
    operators: createOperators({ pool: vault, chainId, ceremony: null }),
  })
  await returnPledges(worker.db)
}

let outputs = 0
async function fund(amount: bigint): Promise<Hex> {
  const funder = market.accountOf('funder')
  await market.approve(funder, 'BTC', amount)
  const { timestamp } = await market.client.getBlock()
  outputs += 1
  const args = [
    Number(timestamp / BigInt(DAY_SECONDS)),
    amount,
    { txid: `0x${'cd'.repeat(32)}`, index: outputs },
  ] as const
  const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'fundDividend', args })
  const tx = await market.mined(market.send(funder, market.contracts.vault, data))
  await market.finalize()
  return tx
}

describe('a pledge', { timeout: 240_000 }, () => {
  it('paid online goes from payment to confirm to enable, and never enters the balance', async () => {
    const buyer = await market.buyer()
    const first = await makeOrder(buyer)
    expect(first).toMatchObject({
      type: 3,
      status: 2,
      state: 'paying',
      method: 1,
      symbol: 'BTN',
      amount: '10001',
      payAmount: '10001',
      termDays: 30,
      termWeight: 10_000,
    })
    expect((await order(buyer)).body.reason).toBe('order-open')
    expect((await overview(buyer)).open).toMatchObject({ id: first.id, quote: first.quote })
    expect((await records(buyer)).items).toMatchObject([
      { id: first.id, status: 'payment', startDay: null, day: 0, days: 30 },
    ])
    const tx = await pay(buyer, first)
    await waitUntil(async () => expect((await records(buyer)).items).toMatchObject([{ status: 'confirm' }]))
    await market.finalize()
    const today = dayOf(await readClock(market.db))
    expect((await records(buyer)).items).toMatchObject([
      {
        id: first.id,
        type: 'pledge',
        source: 'pledge',
        status: 'enable',
        amount: '10001',
        effective: '10001',
        startDay: today + 1,
        endDay: today + 31,
        day: 0,
        days: 30,
        produced: '0',
        collected: '0',
      },
    ])
    expect((await held(buyer)).BTN).toMatchObject({ available: 0n, frozenOrder: 0n, pledged: 10_001n * BTN })
    expect(await overview(buyer)).toMatchObject({
      pledged: '10001',
      effective: '0',
      starting: '10001',
      produced: '0',
      open: null,
      plan: { version: 1, above: '10000', startDay: today + 1 },
    })
    const payments = (await market.api.call('order/payments', accountOf(buyer), buyer)).body.data
    expect(payments.items).toMatchObject([{ type: 3, termDays: 30, symbol: 'BTN', state: 'confirmed', tx }])
    const list = (await market.api.call('order/list', { ...accountOf(buyer), type: '3' }, buyer)).body.data
    expect(list).toMatchObject({ type: 3, total: 1, successes: 1, items: [{ id: first.id, status: 1 }] })
    expect((await market.api.call('order/list', { ...accountOf(buyer), type: '1' }, buyer)).body.data).toMatchObject({
      total: 0,
    })
  })

  it('is paid from the balance or both ways; an unpaid order gives the frozen part back', async () => {
    const buyer = await withBtn(50_000n * BTN)
    const whole = await makeOrder(buyer, { quantity: '20000', balancePart: '20000', termDays: 90 })
    expect(whole).toMatchObject({ status: 1, method: 2, quote: null, termWeight: 11_000 })
    const mixed = await makeOrder(buyer, { quantity: '10001', balancePart: '1000.5' })
    expect(mixed).toMatchObject({ status: 2, method: 3, payAmount: '9000.5' })
    expect((await held(buyer)).BTN).toMatchObject({ frozenOrder: 10_005n * (BTN / 10n), pledged: 20_000n * BTN })
    await pay(buyer, mixed)
    await market.finalize()
    expect((await held(buyer)).BTN).toMatchObject({ frozenOrder: 0n, pledged: 30_001n * BTN })

    const unpaid = await makeOrder(buyer, { balancePart: '5000' })
    await market.cancelOrder(buyer, unpaid.id)
    await market.passTime(31 * 60)
    await market.finalize()
    await waitUntil(async () =>
      expect((await records(buyer, { status: 'failed' })).items).toMatchObject([
        { id: unpaid.id, status: 'failed', failure: 'cancelled', balancePart: '5000', payAmount: '5001' },
      ]),
    )
    expect((await held(buyer)).BTN.frozenOrder).toBe(0n)
    expect((await records(buyer, { status: 'enable' })).items.map(({ id }) => id)).toEqual([mixed.id, whole.id])
  })

  it('is refused with a reason for each objection', async () => {
    const buyer = await withBtn(20_000n * BTN)
    const reason = async (pledging: Pledging) => (await order(buyer, pledging)).body.reason
    expect(await reason({ quantity: '10000' })).toBe('pledge-minimum')
    expect(await reason({ quantity: '10000.5' })).toBe('format')
    expect(await reason({ quantity: '010001' })).toBe('format')
    expect(await reason({ termDays: 31 })).toBe('pledge-term')
    expect(await reason({ planVersion: 2 })).toBe('plan-changed')
    expect(await reason({ balancePart: '10001.000000000000000001' })).toBe('balance-part-range')
    expect(await reason({ quantity: '20001', balancePart: '20001' })).toBe('balance-insufficient')
    expect(await reason({ balancePart: '10001', password: 'Wrong1234' })).toBe('fund-password-wrong')
    const key = randomUUID()
    const { id } = await makeOrder(buyer, { key, balancePart: '10001' })
    expect((await makeOrder(buyer, { key, balancePart: '10001' })).id).toBe(id)
    expect(await reason({ key, balancePart: '10000' })).toBe('key-conflict')
  })
})

describe('production', { timeout: 240_000 }, () => {
  it('is shared out, shown and collected, and can be recomputed from public figures', async () => {
    const { rows } = await sql<{ id: bigint }>`select member_id as id from lode.pledge group by 1 order by 1`.execute(
      market.db,
    )
    expect(rows.length).toBe(3)
    const [buyer, other] = [await withBtn(30_000n * BTN), await withBtn(10_001n * BTN)]
    await makeOrder(buyer, { quantity: '30000', balancePart: '30000', termDays: 360 })
    await makeOrder(other, { balancePart: '10001' })
    await nextAfternoon()
    const before = await overview(buyer)
    expect(before).toMatchObject({ effective: '45000', produced: '0' })
    const funding = await fund(1_000_000n)
    await nextAfternoon()
    await nextAfternoon()

    const { items } = await table()
    const [zero, funded, dayBefore] = items
    if (!zero || !funded || !dayBefore) throw new Error('no days')
    expect(funded).toMatchObject({ F: '0.01', X: '0', T: '0', C: '0', fundings: [{ tx: funding, amount: '0.01' }] })
    expect(zero).toMatchObject({ day: funded.day + 1, F: '0', q: '0', A: funded.A, fundings: [] })
    const [record] = (await records(buyer)).items
    // Computed from the public table and the member's own pledge.
    const own = entitled({ weight: 450_000_000n, from: BigInt(dayBefore.A), to: BigInt(funded.A) })
    const share = (1_000_000n * 450_000_000n) / BigInt(funded.S)
    expect(own - share <= 1n).toBe(true)
    const text = `0.${String(own).padStart(8, '0').replace(/0+$/, '')}`
    expect(record).toMatchObject({ produced: text, day: 3, days: 360, effective: '45000' })
    expect(await days(buyer)).toMatchObject({
      items: [
        { day: zero.day, weight: '450000000', totalWeight: zero.S, amount: '0' },
        { day: funded.day, weight: '450000000', totalWeight: funded.S, amount: text },
      ],
      next: null,
    })
    expect(await overview(buyer)).toMatchObject({
      produced: text,
      collected: '0',
      last: { day: zero.day, shared: '0', amount: '0' },
    })
    expect((await market.api.call('pool/next-day', {})).body.data).toMatchObject({
      closed: zero.day,
      next: { day: zero.day + 1, state: 'scheduled', until: null },
    })
    const page = await table({ limit: '2' })
    expect([page.items.length, (await table({ limit: '2', cursor: page.next ?? '' })).items[0]?.day]).toEqual([
      2,
      dayBefore.day,
    ])

    const key = randomUUID()
    const collect = () => market.api.call('pledge/collect', { ...accountOf(buyer), key }, buyer)
    expect((await collect()).body.data).toEqual({ amount: text })
    expect((await collect()).body.data).toEqual({ amount: text })
    const again = await market.api.call('pledge/collect', { ...accountOf(buyer), key: randomUUID() }, buyer)
    expect([again.status, again.body.reason]).toEqual([409, 'collect-nothing'])
    expect((await held(buyer)).BTC.available).toBe(own)
    const log = await market.api.call('wallet/log', { ...accountOf(buyer), symbol: 'BTC' }, buyer)
    expect(log.body.data.lines).toMatchObject([{ type: 'pointReward', amount: text }])

    const { production, totals } = (await market.api.call('pool/figures', {})).body.data
    expect(production).toMatchObject({ last: { day: zero.day, shared: '0', fundings: [] } })
    expect(BigInt(zero.S)).toBe(BigInt(production.effective.replace('.', '').padEnd(zero.S.length, '0')))
    expect(totals).toMatchObject({ pledges: 6, pledged: '90004' })
  })

  it('does not block payouts: the signer finds pledges and funding on the chain', async () => {
    const buyer = await market.buyer()
    await market.deposit(buyer.wallet, 'BTC', 1_000_000n)
    await market.finalize()
    const before = await market.balanceOf('BTC', buyer.wallet.address)
    const signer = await market.startSigner()
    const transfer = { key: randomUUID(), planVersion: 1, symbol: 'BTC', amount: '0.001', password: PASSWORD } as const
    const asking = await market.api.call(
      'transfer/order',
      { ...accountOf(buyer), ...transfer, address: buyer.wallet.address },
      buyer,
    )
    expect(asking.status).toBe(200)
    // A new browser must wait for a day.
    await market.clock.advance(DAY_SECONDS + 60)
    await market.finalize()
    await waitUntil(async () => {
      await market.mine(1)
      expect(await market.balanceOf('BTC', buyer.wallet.address)).toBe(before + 100_000n)
    })
    const { rows } = await sql<{ type: number }>`
      select distinct type from lode.ledger_transaction
      where type in (${codeOf('type.dividendFunding')}, ${codeOf('type.pledgePaid')}) order by type`.execute(market.db)
    expect(rows).toEqual([{ type: codeOf('type.dividendFunding') }, { type: codeOf('type.pledgePaid') }])
    await signer.close()
  })

  it('ends with the term: the BTN and the final dividend arrive by themselves, also for a disabled account', async () => {
    const { rows } = await sql<{ id: bigint; account: Buffer }>`
      select member.id, member.account from lode.pledge join lode.member on member.id = pledge.member_id
      where pledge.end_day - pledge.start_day = 30 order by pledge.start_day desc limit 1`.execute(market.db)
    const [row] = rows
    if (!row) throw new Error('nobody pledged')
    await disableMember(market.db, `0x${row.account.toString('hex')}`)
    await nextAfternoon(29)
    expect((await readBalances(market.db, row.id)).BTN).toMatchObject({ available: 10_001n * BTN, pledged: 0n })
    // The market's own worker may have closed the last day at the same moment. Then it also settles the pledge.
    const pledge = await waitUntil(async () => {
      const { rows } = await sql<{ paid: string; back: boolean; settled: boolean }>`
        select paid, returned_at is not null as back, settled_at is not null as settled
        from lode.pledge where member_id = ${row.id}`.execute(market.db)
      expect(rows).toMatchObject([{ back: true, settled: true }])
      return rows
    })
    expect((await readBalances(market.db, row.id)).BTC.available).toBe(BigInt(pledge[0]?.paid ?? 0))
    expect(BigInt(pledge[0]?.paid ?? 0)).toBeGreaterThan(0n)
    expect((await audit(market.db)).findings).toEqual([])
  })
})
