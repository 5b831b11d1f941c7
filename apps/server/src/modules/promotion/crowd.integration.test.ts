import { orderTypes } from '@lode/wire'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { readBalances } from '../ledger/index.ts'
import { readOrders } from '../orders/index.ts'
import { naivePlan, openPromotionFixture, type PromotionFixture, unevenPlan } from './testing/promotion-fixture.ts'

let fixture: PromotionFixture
afterEach(() => fixture?.close())

const plan = unevenPlan(1)
const RESERVES = { airdrop: 10n ** 9n, promotion: 10n ** 9n }

/** Each member is below the one before, so that the buyers share their receivers. */
const chain = (length: number) => Array.from({ length }, (_, index) => (index === 0 ? null : index))

describe('a member', { timeout: 120_000 }, () => {
  it('who orders a hundred times at once has one open order', async () => {
    fixture = await openPromotionFixture({ sponsors: [null, 1], plans: [plan], reserves: RESERVES, clients: 20 })
    await fixture.credit(new Map([[2, 10n ** 9n]]))
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, place) => fixture.order(2, 1, place % 2 === 0 ? 0n : BigInt(place))),
    )
    expect(answers.filter((answer) => typeof answer !== 'string')).toHaveLength(1)
    expect(new Set(answers.filter((answer) => typeof answer === 'string'))).toEqual(new Set(['order-open']))
    const orders = await readOrders(fixture.owner, sql`where pay_order.ended is null`)
    expect(orders).toHaveLength(1)
    expect((await readBalances(fixture.owner, 2n)).USDT.frozenOrder).toBe(orders[0]?.balancePart)
  })

  it('who buys a level from the balance a hundred times at once pays once', async () => {
    fixture = await openPromotionFixture({ sponsors: [null, 1], plans: [plan], reserves: RESERVES, clients: 20 })
    const price = plan.levels[1]?.price ?? 0n
    await fixture.credit(new Map([[2, 50n * price]]))
    const answers = await Promise.all(Array.from({ length: 100 }, () => fixture.order(2, 1, price)))
    expect(answers.filter((answer) => typeof answer !== 'string')).toHaveLength(1)
    expect(new Set(answers.filter((answer) => typeof answer === 'string'))).toEqual(new Set(['level-not-next']))
    expect((await readBalances(fixture.owner, 2n)).USDT).toMatchObject({ available: 49n * price, frozenOrder: 0n })
    const { rows } = await sql`select level from lode.member where id = 2`.execute(fixture.owner)
    expect(rows).toEqual([{ level: 1 }])
  })
})

describe('eight concurrent buyers', { timeout: 300_000 }, () => {
  it('above and below each other, while payments are posted, never deadlock', async () => {
    const members = 40
    fixture = await openPromotionFixture({ sponsors: chain(members), plans: [plan], reserves: RESERVES, clients: 10 })
    const { model } = fixture
    const everybody = Array.from({ length: members }, (_, place) => place + 1)
    await fixture.credit(new Map(everybody.map((id) => [id, 10n ** 11n])))
    for (const id of [5, 12, 30]) await fixture.authorise(id)

    let settledOnline = 0
    const levels = new Map<number, number>()
    /** Every fifth member pays online. The others are divided among the clients and share their receivers. */
    const online = everybody.filter((id) => id % 5 === 0)
    const others = everybody.filter((id) => id % 5 !== 0)
    const client = async (number: number): Promise<void> => {
      for (let level = 1; level <= 5; level += 1)
        for (const id of others.filter((_, place) => place % 8 === number)) {
          const made = await fixture.order(id, level, plan.levels[level]?.price ?? 0n)
          expect(made).toMatchObject({ ended: 'success' })
          levels.set(id, level)
        }
    }
    const worker = async (): Promise<void> => {
      for (let level = 1; level <= 5; level += 1) {
        const orders = []
        for (const id of online) {
          const made = await fixture.order(id, level, BigInt(id))
          if (typeof made === 'string') throw new Error(made)
          orders.push(made)
        }
        await fixture.pay(orders.reverse(), new Date())
        settledOnline += orders.length
      }
    }
    // Registrations change the same tree meanwhile.
    const registering = async (): Promise<void> => {
      for (let number = 0; number < 30; number += 1)
        await fixture.owner.transaction().execute(async (trx) => {
          const { rows } = await sql<{ id: bigint }>`
            insert into lode.member (account, invite_code, sponsor_id, lang)
            values (substring(sha256(${`new ${number}`}::text::bytea) for 20), ${`NEW${String(number).padStart(5, '0')}`},
                    ${1 + ((number * 7) % members)}, 'en') returning id`.execute(trx)
          await sql`select lode.place_member(${rows[0]?.id})`.execute(trx)
        })
    }
    await Promise.all([...Array.from({ length: 8 }, (_, number) => client(number)), worker(), registering()])

    // Replayed in the order of settlement numbers, the history equals the model.
    const orders = await readOrders(fixture.owner, sql`where pay_order.ended = 'success' order by pay_order.settlement`)
    expect(orders.length).toBe(settledOnline + Array.from(levels.values()).reduce((sum, level) => sum + level, 0))
    for (const order of orders) {
      if (order.type !== orderTypes.promotion) throw new Error(`order ${order.id} is no promotion`)
      const { memberId, level, amount, balancePart, power, airdrop } = order
      const member = Number(memberId)
      model.member(member).usdt -= balancePart
      model.member(member).frozen += balancePart
      model.settle(naivePlan(plan), { member, level, price: amount, fromBalance: balancePart, power, airdrop })
    }
    for (const id of everybody) {
      const { usdt, unclaimed, frozen, btn } = model.member(id)
      const held = await readBalances(fixture.owner, BigInt(id))
      expect(
        [id, held.USDT.available, held.USDT.agentUnclaimed, held.USDT.frozenOrder, held.BTN.available],
        `member ${id}`,
      ).toEqual([id, usdt, unclaimed, frozen, btn])
    }
    const { rows } = await sql<{ failed: string | null; count: number }>`
      select failed, count(*)::int as count from lode.reward group by failed`.execute(fixture.owner)
    const counted = Object.groupBy(model.rewards, ({ failed }) => String(failed))
    for (const { failed, count } of rows) expect([failed, counted[String(failed)]?.length]).toEqual([failed, count])
  })
})
