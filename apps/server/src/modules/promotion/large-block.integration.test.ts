import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { readPostedBlock } from '../custody/index.ts'
import { readBalances } from '../ledger/index.ts'
import type { PromotionRow } from '../orders/index.ts'
import { naivePlan, openPromotionFixture, type PromotionFixture, unevenPlan } from './testing/promotion-fixture.ts'

const MEMBERS = 130
const plan = unevenPlan(1)

let fixture: PromotionFixture
afterEach(() => fixture?.close())

/** Every member invited three. All but the first order their first level, those furthest below first. */
async function orderForEverybody(): Promise<PromotionRow[]> {
  const sponsors = Array.from({ length: MEMBERS }, (_, index) => (index === 0 ? null : Math.floor((index + 2) / 3)))
  // Enough for about half of the airdrops.
  const reserves = { airdrop: 12_001n * 60n, promotion: 0n }
  fixture = await openPromotionFixture({ sponsors, plans: [plan], reserves })
  for (const expert of [3, 8]) await fixture.authorise(expert)
  const orders: PromotionRow[] = []
  for (let member = MEMBERS; member >= 2; member -= 1) {
    const made = await fixture.order(member, 1, 0n)
    if (typeof made === 'string') throw new Error(made)
    orders.push(made)
  }
  return orders
}

async function expectModel(orders: readonly PromotionRow[]): Promise<void> {
  for (const { memberId, level, amount, balancePart, power, airdrop } of orders) {
    const member = Number(memberId)
    fixture.model.settle(naivePlan(plan), { member, level, price: amount, fromBalance: balancePart, power, airdrop })
  }
  for (let member = 1; member <= MEMBERS; member += 1) {
    const { usdt, unclaimed, btn } = fixture.model.member(member)
    const held = await readBalances(fixture.owner, BigInt(member))
    expect([held.USDT.available, held.USDT.agentUnclaimed, held.BTN.available], `member ${member}`).toEqual([
      usdt,
      unclaimed,
      btn,
    ])
  }
}

const readBlocks = async () => {
  const { rows } = await sql<{ posted: bigint; highest: bigint }>`
    select posted_number as posted, booked_number as highest from lode.chain_state`.execute(fixture.owner)
  return rows[0]
}

describe('a block with more payments than are settled in one database transaction', { timeout: 120_000 }, () => {
  it('has the result of settling one after the other', async () => {
    const orders = await orderForEverybody()
    await fixture.pay(orders, new Date())
    await expectModel(orders)
  })

  it('that was posted in part when the worker ended is posted to the end once, and counts as read again meanwhile', async () => {
    const orders = await orderForEverybody()
    let parts = 0
    const ending: typeof fixture.settlement = {
      ...fixture.settlement,
      settle: (...given) => {
        parts += 1
        // The first is what is no payment.
        if (parts === 4) throw new Error('the worker ended')
        return fixture.settlement.settle(...given)
      },
    }
    await expect(fixture.pay(orders, new Date(), ending)).rejects.toThrow('the worker ended')
    const { rows } = await sql`select from lode.pay_order where ended = 'success'`.execute(fixture.owner)
    expect(rows).toHaveLength(100)
    const between = await readBlocks()
    expect(between?.highest).toBeGreaterThan(between?.posted ?? 0n)
    expect((await readPostedBlock(fixture.owner))?.isChecked).toBe(false)

    await fixture.payAgain()
    await expectModel(orders)
    const after = await readBlocks()
    expect(after?.highest).toBe(after?.posted)
  })
})
