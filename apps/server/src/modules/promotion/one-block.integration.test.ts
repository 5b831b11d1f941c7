import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { readBalances } from '../ledger/index.ts'
import type { PromotionRow } from '../orders/index.ts'
import { naivePlan, openPromotionFixture, type PromotionFixture, unevenPlan } from './testing/promotion-fixture.ts'

let fixture: PromotionFixture
afterEach(() => fixture?.close())

/** The first level allows two promotion rewards. */
const plan = unevenPlan(1)
const price = plan.levels[1]?.price ?? 0n

/** Member 2 invited members 3, 4 and 5, has the first level and has got one promotion reward, for member 5. */
async function openWithOneRewardLeft(): Promise<void> {
  fixture = await openPromotionFixture({
    sponsors: [null, 1, 2, 2, 2],
    plans: [plan],
    reserves: { airdrop: 10n ** 9n, promotion: 10n ** 9n },
  })
  await fixture.credit(new Map([2, 3, 4, 5].map((id) => [id, 10n * price])))
  for (const member of [2, 5]) settleInModel(await orderOf(member, price))
}

async function orderOf(member: number, balancePart: bigint): Promise<PromotionRow> {
  const made = await fixture.order(member, 1, balancePart)
  if (typeof made === 'string') throw new Error(made)
  const buyer = fixture.model.member(member)
  buyer.usdt -= balancePart
  buyer.frozen += balancePart
  return made
}

function settleInModel({ memberId, level, amount, balancePart, power, airdrop }: PromotionRow): void {
  const member = Number(memberId)
  fixture.model.settle(naivePlan(plan), { member, level, price: amount, fromBalance: balancePart, power, airdrop })
}

const inviterRewards = async () => {
  const { rows } = await sql<{ buyer: bigint; failed: string | null }>`
    select pay_order.member_id as buyer, reward.failed from lode.reward join lode.pay_order on pay_order.id = order_id
    where reward.member_id = 2 and reward.type = 'promotionReward' order by pay_order.settlement`.execute(fixture.owner)
  return rows.map(({ buyer, failed }) => [Number(buyer), failed])
}

describe('two promotions that are paid in one block', { timeout: 60_000 }, () => {
  it('count one after the other: the second misses the reward that the first used up', async () => {
    await openWithOneRewardLeft()
    const orders = [await orderOf(4, 0n), await orderOf(3, 7n)]
    await fixture.pay(orders, new Date())
    orders.forEach(settleInModel)
    expect(await inviterRewards()).toEqual([
      [5, null],
      [4, null],
      [3, 'count-reached'],
    ])
    for (const id of [1, 2, 3, 4, 5]) {
      const { usdt, frozen } = fixture.model.member(id)
      expect((await readBalances(fixture.owner, BigInt(id))).USDT).toMatchObject({
        available: usdt,
        frozenOrder: frozen,
      })
    }
  })

  it('see each other’s level: the buyer of the first is rewarded for the second', async () => {
    fixture = await openPromotionFixture({
      sponsors: [null, 1, 2],
      plans: [plan],
      reserves: { airdrop: 10n ** 9n, promotion: 10n ** 9n },
    })
    const orders = [await orderOf(2, 0n), await orderOf(3, 0n)]
    await fixture.pay(orders, new Date())
    expect(await inviterRewards()).toEqual([[3, null]])
    const [reward, above] = [price / 10n, price / 50n]
    expect((await readBalances(fixture.owner, 2n)).USDT.available).toBe(reward + above)
  })
})

describe('a payment for a level that the member has meanwhile', { timeout: 60_000 }, () => {
  it.each([
    ['the same level', 1],
    ['a higher one', 2],
  ])('becomes a deposit, and the frozen part is unfrozen: %s', async (_what, level) => {
    await openWithOneRewardLeft()
    const order = await orderOf(3, 7n)
    await sql`update lode.member set level = ${level} where id = 3`.execute(fixture.owner)
    await fixture.pay([order], new Date())
    const deposited = price - 7n
    expect((await readBalances(fixture.owner, 3n)).USDT).toMatchObject({
      available: 10n * price + deposited,
      frozenOrder: 0n,
    })
    const { rows } = await sql`select ended, failure from lode.pay_order where id = ${order.id}`.execute(fixture.owner)
    expect(rows).toEqual([{ ended: 'failed', failure: 'level-already-held' }])
  })
})
