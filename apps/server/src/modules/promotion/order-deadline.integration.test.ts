import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBalances } from '../ledger/index.ts'
import { type PromotionRow, readOrders } from '../orders/index.ts'
import { openPromotionFixture, type PromotionFixture, unevenPlan } from './testing/promotion-fixture.ts'

const MINUTE_MS = 60_000
const QUOTE_MS = 30 * MINUTE_MS

let fixture: PromotionFixture
let buyer = 1
beforeAll(async () => {
  fixture = await openPromotionFixture({
    sponsors: [null, ...Array.from({ length: 9 }, () => 1)],
    plans: [unevenPlan(1)],
    reserves: { airdrop: 0n, promotion: 0n },
  })
  await fixture.credit(new Map(Array.from({ length: 10 }, (_, place) => [place + 1, 1_000n])))
})
afterAll(() => fixture.close())

async function newOrder(): Promise<PromotionRow & { readonly deadline: Date }> {
  buyer += 1
  const made = await fixture.order(buyer, 1, 10n)
  if (typeof made === 'string' || made.deadline === null) throw new Error(`no order: ${made}`)
  return { ...made, deadline: made.deadline }
}

const ending = async ({ id }: PromotionRow) => {
  const [row] = await readOrders(fixture.owner, sql`where pay_order.id = ${id}`)
  return row && [row.ended, row.failure]
}
const postedAt = (time: Date) => sql`update lode.chain_state set posted_time = ${time}`.execute(fixture.owner)
const millisecondsAfter = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds)

describe('the end of an unpaid order', () => {
  it('is not a block at the deadline, in which the vault still accepts the payment, but the next one', async () => {
    const order = await newOrder()
    await fixture.pass(order.deadline)
    expect(await ending(order)).toEqual([null, null])
    // The database decides by itself, and does not rely on the worker's list of orders.
    const { rows } = await sql<{ closed: boolean }>`select lode.close_order(${order.id}) as closed`.execute(
      fixture.worker,
    )
    expect(rows).toEqual([{ closed: false }])
    await fixture.pass(millisecondsAfter(order.deadline, 1))
    expect(await ending(order)).toEqual(['failed', 'expired'])
    expect((await readBalances(fixture.owner, order.memberId)).USDT).toMatchObject({
      available: 1_000n,
      frozenOrder: 0n,
    })
  })

  it('waits while the watcher is stopped or reads blocks again', async () => {
    const order = await newOrder()
    const after = millisecondsAfter(order.deadline, 1_000)
    await postedAt(after)
    const isClosed = async () => {
      const { rows } = await sql<{ closed: boolean }>`select lode.close_order(${order.id}) as closed`.execute(
        fixture.worker,
      )
      return rows[0]?.closed
    }
    await sql`update lode.chain_state set stopped_reason = 'a test', stopped_at = lode.now()`.execute(fixture.owner)
    expect(await isClosed()).toBe(false)
    await sql`
      update lode.chain_state set stopped_reason = null, stopped_at = null, booked_number = posted_number + 1`.execute(
      fixture.owner,
    )
    expect(await isClosed()).toBe(false)
    await sql`update lode.chain_state set booked_number = posted_number`.execute(fixture.owner)
    await fixture.pass(after)
    expect(await ending(order)).toEqual(['failed', 'expired'])
  })

  it('is called a cancellation if the member canceled by the deadline, and not if it was later', async () => {
    const [inTime, late] = [await newOrder(), await newOrder()]
    const cancel = (order: typeof inTime, at: Date) =>
      sql`update lode.pay_order set cancelled_at = ${at} where id = ${order.id}`.execute(fixture.owner)
    await cancel(inTime, inTime.deadline)
    await cancel(late, millisecondsAfter(late.deadline, 1))
    await fixture.pass(millisecondsAfter(late.deadline, 1_000))
    expect([await ending(inTime), await ending(late)]).toEqual([
      ['failed', 'cancelled'],
      ['failed', 'expired'],
    ])
  })
})

describe('the deadline of an order', () => {
  const minutesAfterOrder = async (chainAheadMs: number) => {
    const { rows } = await sql<{ now: Date }>`select lode.now() as now`.execute(fixture.owner)
    const now = rows[0]?.now ?? new Date(0)
    await postedAt(millisecondsAfter(now, chainAheadMs))
    const { deadline } = await newOrder()
    return (deadline.getTime() - now.getTime() - QUOTE_MS) / MINUTE_MS
  }

  it('is half an hour after the time of the chain, if that is ahead of our clock', async () => {
    expect(await minutesAfterOrder(10 * MINUTE_MS)).toBeCloseTo(10, 0)
  })

  it('is half an hour after our clock, if the chain is behind', async () => {
    expect(await minutesAfterOrder(-10 * MINUTE_MS)).toBeCloseTo(0, 0)
  })

  it('is at most 15 minutes later than by our clock, however far ahead the chain says it is', async () => {
    expect(await minutesAfterOrder(10 * 60 * MINUTE_MS)).toBeCloseTo(15, 0)
  })
})
