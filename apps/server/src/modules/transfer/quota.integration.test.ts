import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logIn, type TestMember } from '../../testing/member.ts'
import { idOf, startTransferFixture, type TransferFixture } from './testing/transfer-fixture.ts'

let fixture: TransferFixture
beforeAll(async () => {
  fixture = await startTransferFixture({ LOG_LEVEL: 'warn' })
})
afterAll(() => fixture.close())

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The quota of level 1, in whole USDT. */
const QUOTA = 500

type Use = { readonly id: string; readonly at: number; readonly amount: number; givenBack: boolean }
type Step =
  | { readonly kind: 'order'; readonly amount: number }
  | { readonly kind: 'cancel'; readonly which: number }
  | { readonly kind: 'wait'; readonly hours: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('order' as const), amount: fc.integer({ min: 40, max: 320 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which: fc.nat() }) },
  // The clock may also be set back.
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: -24, max: 30 }) }) },
)

const sum = (uses: readonly Use[]) => uses.reduce((total, { amount }) => total + amount, 0)

/** The largest sum, without amounts given back, within 24 hours that end with one of the requests. */
const fullestDay = (uses: readonly Use[]): number => {
  const counting = uses.filter(({ givenBack }) => !givenBack)
  return Math.max(0, ...counting.map(({ at }) => sum(counting.filter((use) => use.at <= at && use.at > at - DAY_MS))))
}

const readNow = async () => {
  const { rows } = await sql<{ now: Date }>`select lode.now() as now`.execute(fixture.owner)
  return rows[0]?.now.getTime() ?? 0
}

describe('the quota', () => {
  it('is never exceeded in any 24 hours by any orders and cancels, and refuses no order that fits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
        let member: TestMember = await fixture.member({ USDT: '50000' }, 1)
        const uses: Use[] = []
        for (const each of steps) {
          if (each.kind === 'wait') {
            await fixture.api.clock.advance(each.hours * 3_600)
            // The member signs in again after each change of the clock.
            await sql`delete from lode.session where member_id = ${await idOf(fixture.owner, member)}`.execute(
              fixture.owner,
            )
            member = { ...member, token: (await logIn(fixture.api, member.wallet)).body.data.token }
          } else if (each.kind === 'cancel') {
            const open = uses.filter(({ givenBack }) => !givenBack)
            const use = open[each.which % Math.max(1, open.length)]
            if (!use) continue
            expect((await fixture.cancel(member, use.id)).status).toBe(200)
            use.givenBack = true
          } else {
            const before = await readNow()
            const taken = uses.filter(({ givenBack, at }) => !givenBack && at > before - DAY_MS)
            const { status, body } = await fixture.tryOrder(member, { amount: String(each.amount) })
            const fits = sum(taken) + each.amount <= QUOTA
            expect([status, body.reason]).toEqual(fits ? [200, undefined] : [422, 'quota-insufficient'])
            if (fits) {
              const { id, requestedAt } = body.data
              uses.push({ id, at: Date.parse(requestedAt), amount: each.amount, givenBack: false })
            }
            expect(fullestDay(uses)).toBeLessThanOrEqual(QUOTA)
            const left = Number((await fixture.terms(member)).symbols[0]?.quota.left)
            // A clock that is set back can bring two windows into one, so more than the quota may be used.
            expect(left).toBe(Math.max(0, QUOTA - sum(taken) - (fits ? each.amount : 0)))
          }
        }
      }),
      { numRuns: 15, endOnFailure: true },
    )
  }, 120_000)

  it('counts a transfer for exactly 24 hours after its request', async () => {
    const member = await fixture.member({ USDT: '5000' }, 1)
    const asked = await fixture.makeOrder(member, { amount: '500' })
    const left = async () => {
      const { rows } = await sql<{ used: string }>`
        select lode.quota_used(${await idOf(fixture.owner, member)}, 'USDT') as used`.execute(fixture.owner)
      return QUOTA - Number(rows[0]?.used) / 1_000_000
    }
    expect(await left()).toBe(0)
    const age = async () => ((await readNow()) - Date.parse(asked.requestedAt)) / 1_000
    await fixture.api.clock.advance(24 * 3_600 - 10 - (await age()))
    expect(await left()).toBe(0)
    await fixture.api.clock.advance(10)
    expect(await left()).toBe(QUOTA)
  })

  it('is used up to and not at exactly 24 hours, and is given back by a cancel', async () => {
    const member = await fixture.member({ USDT: '5000' }, 1)
    const { id } = await fixture.makeOrder(member, { amount: '500' })
    const memberId = await idOf(fixture.owner, member)
    /** What is used this long after the request, in one transaction with one time. */
    const usedAfter = (milliseconds: number) =>
      fixture.owner.transaction().execute(async (trx) => {
        await sql`
          update lode.quota_use set at = lode.now() - make_interval(secs => ${milliseconds / 1_000})
          where payout_id = ${id}`.execute(trx)
        const { rows } = await sql<{ used: string }>`select lode.quota_used(${memberId}, 'USDT') as used`.execute(trx)
        return rows[0]?.used
      })
    expect(await usedAfter(DAY_MS - 1)).toBe('500000000')
    expect(await usedAfter(DAY_MS)).toBe('0')
    expect(await usedAfter(0)).toBe('500000000')
    expect((await fixture.cancel(member, id)).status).toBe(200)
    expect((await fixture.terms(member)).symbols[0]?.quota.left).toBe('500')
  })

  it('depends on the member’s level at the time of the request, separately for each asset', async () => {
    const member = await fixture.member({ USDT: '5000', BTC: '1' }, 0)
    await fixture.makeOrder(member, { amount: '100' })
    expect((await fixture.tryOrder(member, { amount: '10' })).body.reason).toBe('quota-insufficient')
    await fixture.makeOrder(member, { symbol: 'BTC', amount: '0.01' })
    await sql`update lode.member set level = 1 where id = ${await idOf(fixture.owner, member)}`.execute(fixture.owner)
    expect((await fixture.terms(member)).symbols[0]?.quota).toEqual({ left: '400', total: '500' })
    await fixture.makeOrder(member, { amount: '400' })
    expect((await fixture.tryOrder(member, { amount: '10' })).body.reason).toBe('quota-insufficient')
  })
})
