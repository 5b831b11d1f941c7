import { randomUUID } from 'node:crypto'
import { units } from '@lode/kernel'
import { orderTypes } from '@lode/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type Database } from '../../platform/db/database.ts'
import { insertExpert } from '../../testing/expert-fixture.ts'
import { PASSWORD } from '../../testing/member.ts'
import { type Buyer, type OrderFixture, startOrderFixture } from '../../testing/order-fixture.ts'
import { examplePlanText } from '../../testing/plan.ts'
import { post, readBalances, readSystemBalances, type Transaction } from '../ledger/index.ts'
import { freezePosting, orderLogLine } from '../orders/index.ts'

const USDT = 1_000_000n

let market: OrderFixture
let sponsor: Buyer
beforeAll(async () => {
  market = await startOrderFixture({ wallets: 12 })
  await market.startWorker()
  await market.finalize()
  sponsor = await buyerWithBalance()
}, 120_000)
afterAll(() => market.close())

const held = async ({ id }: Buyer) => (await readBalances(market.db, id)).USDT
const buy = (buyer: Buyer, level: number, price: string) => market.placeOrder(buyer, { level, balancePart: price })

async function buyerWithBalance(code?: string): Promise<Buyer> {
  const buyer = await market.buyer(code)
  await market.deposit(buyer.wallet, 'USDT', 5_000n * USDT)
  await market.finalize()
  return buyer
}

describe('a promotion from the balance', { timeout: 120_000 }, () => {
  it('is settled at once: level, power, airdrop and the division of the price', async () => {
    const before = await readSystemBalances(market.db)
    const order = await buy(sponsor, 1, '100')
    expect(order).toMatchObject({
      status: 1,
      state: 'success',
      method: 2,
      payAmount: '0',
      deadline: null,
      quote: null,
      tx: null,
      airdrop: { amount: '12000', paid: true },
    })
    expect(await market.readOverview(sponsor)).toMatchObject({
      level: 1,
      power: 2,
      investment: '100',
      rewards: { count: 0, atMost: 3 },
      open: null,
      available: '4900',
      plan: { version: 1, next: { level: 2, price: '200', airdropFunded: true } },
    })
    const after = await readSystemBalances(market.db)
    const grown = (kind: 'pool:mining' | 'partner:funded' | 'pool:liquidity' | 'pool:operations') =>
      after(kind, 'USDT') - before(kind, 'USDT')
    // The first member is not activated and misses its two parts.
    expect([grown('pool:mining'), grown('partner:funded'), grown('pool:liquidity'), grown('pool:operations')]).toEqual([
      ...[90n * USDT, 3n * USDT, 5n * USDT, 2n * USDT],
    ])
  })

  const readLogTypes = async ({ wallet, token }: Buyer, symbol: 'USDT' | 'BTN') => {
    const query = { account: wallet.address, symbol }
    return (await market.api.call('wallet/log', query, { token })).body.data.lines.map(({ type }) => type)
  }

  it('pays rewards to the members above, each with the buyer’s address tail', async () => {
    const invited = await buyerWithBalance(sponsor.code)
    await buy(invited, 1, '100')
    const tail = invited.wallet.address.slice(-6)
    expect(await market.readRewards(sponsor)).toMatchObject([
      { type: 'upLevelReward', status: 'claim', amount: '2', tail, level: 1, basisPoints: 200, layer: 1, reason: null },
      { type: 'promotionReward', status: 'claim', amount: '10', tail, level: 1, basisPoints: 1_000, layer: null },
    ])
    expect(await market.readOverview(sponsor)).toMatchObject({
      rewards: { count: 1 },
      income: '12',
      directReferrals: 1,
      effectiveInvites: 1,
    })
    expect(await readLogTypes(sponsor, 'USDT')).toEqual(expect.arrayContaining(['promotionReward', 'upLevelReward']))
    const before = (await held(sponsor)).available
    await buy(invited, 2, '200')
    expect(await readLogTypes(invited, 'BTN')).toEqual(['airdropForPromotion', 'airdropForActive'])
    expect((await market.readRewards(sponsor)).slice(0, 2)).toMatchObject([
      { type: 'upLevelReward', status: 'failed', amount: '4', level: 2, reason: 'level-below' },
      { type: 'promotionReward', status: 'failed', amount: '20', level: 2, reason: 'level-below' },
    ])
    expect((await held(sponsor)).available).toBe(before)
    const { wallet, token } = sponsor
    const list = async (filter: object) =>
      (await market.api.call('promotion/rewards', { account: wallet.address, ...filter }, { token })).body.data
    expect((await list({ status: 'failed', type: 'promotionReward' })).items).toMatchObject([{ amount: '20' }])
    const { items, next } = await list({ limit: '3' })
    const second = await list({ limit: '3', cursor: next ?? '' })
    expect([items.length, second.items.length]).toEqual([3, 1])
    const ids = [...items, ...second.items].map(({ id }) => id)
    expect(new Set(ids).size).toBe(4)
    for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/)
    await expectCreditsAsInLog(sponsor)
  })

  it('is refused for the first objection in a fixed order, and freezes nothing', async () => {
    const buyer = await buyerWithBalance()
    const refusal = async (ordering: Parameters<OrderFixture['order']>[1]) =>
      (await market.order(buyer, ordering)).body.reason
    expect(await refusal({ planVersion: 9, level: 7, balancePart: '9999' })).toBe('plan-changed')
    expect(await refusal({ level: 2, balancePart: '9999' })).toBe('level-not-next')
    expect(await refusal({ balancePart: '100.000001' })).toBe('balance-part-range')
    expect(await refusal({ balancePart: '100', password: 'Wrong1234' })).toBe('fund-password-wrong')
    expect(await refusal({ balancePart: '0', password: PASSWORD })).toBe('format')
    expect((await held(buyer)).frozenOrder).toBe(0n)
    const poor = await market.buyer()
    expect((await market.order(poor, { balancePart: '100' })).body.reason).toBe('balance-insufficient')
    await sql`update lode.member set disabled_at = lode.now() where id = ${poor.id}`.execute(market.db)
    expect((await market.order(poor)).body.reason).toBe('session-expired')
  })

  it('keeps the plan version under which it was ordered', async () => {
    const buyer = await market.buyer()
    const order = await market.placeOrder(buyer)
    const dearer = JSON.parse(examplePlanText)
    dearer.levels[1].price = '110'
    dearer.allocation = { ...dearer.allocation, miningFund: 9_000, promotion: 0, upLevel: 0, agent: 0 }
    expect(await market.publishNextPlan(JSON.stringify(dearer))).toBe(2)
    await market.pay(buyer.wallet, order.quote)
    await market.finalize()
    expect(await market.readOrder(buyer, order.id)).toMatchObject({ status: 1, planVersion: 1, amount: '100' })
    const other = await market.buyer()
    expect((await market.order(other)).body.reason).toBe('plan-changed')
    expect(await market.placeOrder(other, { planVersion: 2 })).toMatchObject({ amount: '110' })
  })
})

describe('an airdrop', { timeout: 120_000 }, () => {
  it('is paid in full or not at all, and the order says which', async () => {
    const buyer = await buyerWithBalance()
    const reserve = (await readSystemBalances(market.db))('reserve:airdrop', 'BTN')
    const worker = connectDatabase(market.database.urlOf('lode_worker'), { name: 'emptying', max: 1 })
    const line = { type: 'airdropForActive', operation: 'all-of-it' } as const
    const emptying: Transaction = {
      type: 'airdropForActive',
      member: sponsor.id,
      key: 'all-of-it',
      moves: [
        {
          asset: 'BTN',
          amount: units('BTN', reserve - 1n),
          from: 'reserve:airdrop',
          to: { kind: 'available', member: sponsor.id, line },
        },
      ],
    }
    await expect(post(worker.db, [emptying])).rejects.toThrow('has no cause that explains it')
    await sql`alter table lode.ledger_transaction disable trigger check_cause`.execute(market.db)
    await post(worker.db, [emptying])
    await sql`alter table lode.ledger_transaction enable always trigger check_cause`.execute(market.db)
    await worker.close()
    const order = await market.placeOrder(buyer, { planVersion: 2, balancePart: '110' })
    expect(order).toMatchObject({ status: 1, airdrop: { amount: '12000', paid: false } })
    expect((await readBalances(market.db, buyer.id)).BTN.available).toBe(0n)
    expect((await readSystemBalances(market.db))('reserve:airdrop', 'BTN')).toBe(1n)
  })
})

/** Each credited reward names its line of the log and the balance after it. Others name none. */
async function expectCreditsAsInLog(member: Buyer): Promise<void> {
  const query = { account: member.wallet.address, symbol: 'USDT', limit: '100' } as const
  const { lines } = (await market.api.call('wallet/log', query, { token: member.token })).body.data
  for (const { status, line, balanceAfter, type } of await market.readRewards(member)) {
    const credit = lines.find(({ id }) => id === line)
    expect([line, balanceAfter]).toEqual(status === 'claim' ? [credit?.id, credit?.balanceAfter] : [null, null])
    if (status === 'claim') expect(credit).toMatchObject({ type, direction: 'in', balanceAfter: expect.any(String) })
  }
}

describe('the Thanksgiving reward', { timeout: 120_000 }, () => {
  it('waits until its expert claims it, once, and nobody else can', async () => {
    const claim = ({ wallet, token }: Buyer, key: string = randomUUID()) =>
      market.api.call('promotion/claim', { account: wallet.address, key }, { token })
    expect((await claim(sponsor)).body.reason).toBe('expert-only')
    await insertExpert(market.db, sponsor.id)
    expect((await claim(sponsor)).body.reason).toBe('claim-nothing')

    await market.publishNextPlan(examplePlanText)
    const invited = await buyerWithBalance(sponsor.code)
    await market.placeOrder(invited, { planVersion: 3, balancePart: '100' })
    expect(await market.readOverview(sponsor)).toMatchObject({ thanksgiving: { expert: true, pending: '5' } })
    const [record] = await market.readRewards(sponsor)
    expect(record).toMatchObject({ type: 'agentReward', status: 'unClaim', amount: '5', claimedAt: null })
    const [before, key] = [(await held(sponsor)).available, randomUUID()]
    expect((await claim(sponsor, key)).body.data).toEqual({ amount: '5', rewards: 1 })
    expect((await claim(sponsor, key)).body.data).toEqual({ amount: '5', rewards: 1 })
    expect((await claim(sponsor)).body.reason).toBe('claim-nothing')
    expect(await held(sponsor)).toMatchObject({ available: before + 5n * USDT, agentUnclaimed: 0n })
    const [claimed] = await market.readRewards(sponsor)
    expect(claimed).toMatchObject({ status: 'claim', line: expect.stringMatching(/^agentReward:/) })
    await expectCreditsAsInLog(sponsor)
  })
})

describe('an attacker with the api’s database role', { timeout: 60_000 }, () => {
  it('cannot give a level that is not paid in the ledger', async () => {
    const api = connectDatabase(market.database.urlOf('lode_api'), { name: 'thief', max: 1 })
    const thief = api.db
    const buyer = await market.buyer()
    const { id } = await market.placeOrder(buyer, { planVersion: 3 })
    const settle = (order: string) => sql`select lode.settle_promotion(${order}, null, null, null)`.execute(thief)
    await expect(settle(id)).rejects.toThrow('cannot be settled by this payment or by this role')
    await expect(sql`update lode.member set level = 5 where id = ${buyer.id}`.execute(thief)).rejects.toThrow(
      'permission denied',
    )
    await expect(sql`update lode.pay_order set ended = 'success'`.execute(thief)).rejects.toThrow('permission denied')
    await market.cancelOrder(buyer, id)
    const { rows } = await sql<{ id: string }>`select id from lode.session where member_id = ${sponsor.id}`.execute(
      thief,
    )
    const make = (db: Database, made: string) =>
      sql`
        select lode.make_order(${sponsor.id}, ${rows[0]?.id}, ${made}, 1, 3, 'USDT', 200000000, 200000000, 30, 2, 4,
                               24000e18)`.execute(db)
    await expect(make(thief, randomUUID())).rejects.toThrow('is paid from the balance, and not settled')
    const made = randomUUID()
    const makeAndSettle = thief.transaction().execute(async (trx) => {
      await make(trx, made)
      await sql`select lode.settle_promotion(${made}, null, null, null)`.execute(trx)
    })
    await expect(makeAndSettle).rejects.toThrow('the airdrop is not in the ledger')
    await api.close()
  })

  it('cannot send the price of a promotion to another member, or sell one below its price', async () => {
    const api = connectDatabase(market.database.urlOf('lode_api'), { name: 'thief', max: 1 })
    const victim = await buyerWithBalance()
    const { rows } = await sql<{ id: string }>`select id from lode.session where member_id = ${victim.id}`.execute(
      api.db,
    )
    const price = 100n * USDT

    /** Orders and settles correctly, but freezes and posts as an attacker likes. */
    const sell = (frozen: bigint, paid: bigint, to: bigint) =>
      api.db.transaction().execute(async (trx) => {
        const id = randomUUID()
        await sql`
          select lode.make_order(${victim.id}, ${rows[0]?.id}, ${id}, 1, 3, 'USDT', ${String(price)}::numeric,
                                 ${String(price)}::numeric, 30, 1, 2, 12000e18)`.execute(trx)
        const line = { type: 'promotionReward', operation: id } as const
        const settled = {
          type: 'promotionByBalance',
          member: victim.id,
          key: `order:${id}:settle`,
          moves: [
            {
              asset: 'USDT',
              amount: units('USDT', paid),
              from: { kind: 'frozenOrder', member: victim.id, line: orderLogLine({ id, type: orderTypes.promotion }) },
              to: { kind: 'available', member: to, line },
            },
          ],
        } as Transaction
        const airdrop = {
          type: 'airdropForActive',
          member: victim.id,
          key: `order:${id}:airdrop`,
          moves: [
            {
              asset: 'BTN',
              amount: units('BTN', 12_000n * 10n ** 18n),
              from: 'reserve:airdrop',
              to: { kind: 'available', member: victim.id, line: { type: 'airdropForActive', operation: id } },
            },
          ],
        } as Transaction
        await post(trx, [
          freezePosting({ id, type: orderTypes.promotion, memberId: victim.id, balancePart: frozen }),
          settled,
          airdrop,
        ])
        await sql`select lode.settle_promotion(${id}, null, null, null)`.execute(trx)
      })
    await expect(sell(price, price, sponsor.id)).rejects.toThrow(':settle of member')
    await expect(sell(1n, 1n, sponsor.id)).rejects.toThrow('has no cause that explains it')
    expect((await held(victim)).available).toBe(5_000n * USDT)
    await api.close()
  })

  it('cannot sell anything but the next level of the plan in force, on the plan’s terms', async () => {
    const api = connectDatabase(market.database.urlOf('lode_api'), { name: 'thief', max: 1 })
    const { id: member } = await market.buyer()
    const { rows } = await sql<{ id: string }>`select id from lode.session where member_id = ${member}`.execute(api.db)
    type Terms = Record<'plan' | 'asset' | 'price' | 'balance' | 'minutes' | 'level' | 'power' | 'airdrop', string>
    const first: Terms = {
      plan: '3',
      asset: 'USDT',
      price: '100000000',
      balance: '0',
      minutes: '30',
      level: '1',
      power: '2',
      airdrop: `12000${'0'.repeat(18)}`,
    }
    const make = async (changes: Partial<Terms>, db = api.db): Promise<string | undefined> => {
      const { plan, asset, price, balance, minutes, level, power, airdrop } = { ...first, ...changes }
      const made = await sql<{ verdict: string }>`
        select lode.make_order(${member}, ${rows[0]?.id}, ${randomUUID()}, 1, ${plan}::int, ${asset}, ${price}::numeric,
          ${balance}::numeric, ${minutes}::int, ${level}::int, ${power}::numeric, ${airdrop}::numeric) as verdict`.execute(
        db,
      )
      return made.rows[0]?.verdict
    }
    const second = { price: '200000000', level: '2', power: '4', airdrop: `24000${'0'.repeat(18)}` }
    for (const changes of [
      ...[{ price: '99999999' }, { price: '100000001' }, { price: '100' }, { price: '1' }],
      ...[{ asset: 'BTN' }, { minutes: '31' }, { minutes: '1440' }],
      ...[{ power: '3' }, { power: '2.0' }, { power: 'NaN' }],
      ...['0', '-1', '0.5', 'NaN', 'Infinity', `${first.airdrop}.0`, `${first.airdrop}1`].map((airdrop) => ({
        airdrop,
      })),
      // A higher level for the price of the first, the first with the benefits of the second, and levels that do not
      // exist.
      ...[{ level: '2' }, { ...second, price: first.price }, { ...second, level: '1', price: first.price }],
      ...['0', '-1', '-5', '6', '99'].map((level) => ({ level })),
    ])
      await expect(make(changes), JSON.stringify(changes)).rejects.toThrow('plan 3 does not sell this')
    for (const price of ['0', '-1', '0.5', 'NaN', 'Infinity'])
      await expect(make({ price }), price).rejects.toThrow('whole smallest units')
    // Versions that are over, one of them cheaper, and one that does not exist.
    expect(await make({ plan: '2', price: '110000000' })).toBe('plan-changed')
    expect([await make({ plan: '1' }), await make({ plan: '999' })]).toEqual(['plan-changed', 'plan-changed'])
    const kept = await sql`select from lode.pay_order where member_id = ${member}`.execute(api.db)
    expect(kept.rows).toEqual([])
    // The second level at its correct terms, for a member who does not have the first; then the first level.
    const inVain = api.db.transaction().execute(async (trx) => {
      throw new Error(await make(second, trx))
    })
    await expect(inVain).rejects.toThrow('level-not-next')
    expect(await make({})).toBe('ok')
    await api.close()
  })
})
