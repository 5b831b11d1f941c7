import { randomUUID } from 'node:crypto'
import { addDays, type DayNumber } from '@lode/kernel'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { decideBy, signAs } from '../../testing/operators.ts'
import { soon } from '../../testing/pool.ts'
import { balances, logLines, systemBalances } from '../ledger/index.ts'
import { dayQuestion } from '../operators/index.ts'
import { pledgeFindings } from './check.ts'
import { readNextDay } from './next-day.ts'
import { BTN, type Field, openField, shortTerms } from './testing/field.ts'

let field: Field
let day: DayNumber
beforeEach(async () => {
  field = await openField({ members: 3, plan: shortTerms({ dayFundingMax: '0.001' }) })
  await field.setTime(addDays(field.firstDay, 1), 13)
  await field.close()
  day = addDays(field.firstDay, 1)
  for (const member of [1, 2, 3]) await field.credit(member, 'BTN', 1_000_000n * BTN)
}, 60_000)
afterEach(() => field.end())

const MOST = 100_000n

/** Makes a pledge that begins on the day after the present one, which is the next day to be closed. */
async function pledged(member: number, quantity = 20_000n, days = 7): Promise<string> {
  const made = await field.pledge(member, quantity, days)
  if (typeof made === 'string') throw new Error(made)
  return made.id
}

async function table() {
  const { rows } = await sql<Record<'day' | 'f' | 'x' | 't' | 'c' | 's', number>>`
    select day, admitted::int as f, above::int as x, from_carry::int as t, carry::int as c, (weight / 10000)::int as s
    from lode.production_day order by day`.execute(field.owner)
  return rows.map((row) => ({ ...row, day: row.day - field.firstDay }))
}

const waitsFor = async () => (await readNextDay(field.worker, field))?.standing.state
const lines = (member: number, asset: 'BTN' | 'BTC') =>
  logLines(field.owner, { member: BigInt(member), asset, limit: 20 })

describe('a day', { timeout: 60_000 }, () => {
  it('closes at the plan’s hour of the next one, when the books have passed that moment', async () => {
    await field.setTime(addDays(day, 1), 11.9)
    expect([await waitsFor(), await field.close()]).toEqual(['scheduled', []])
    await field.setTime(addDays(day, 1), 13, { posted: false })
    expect([await waitsFor(), await field.close()]).toEqual(['waiting-chain', []])
    await field.setTime(addDays(day, 1), 13)
    await sql`update lode.chain_state set stopped_reason = 'why', stopped_at = lode.now()`.execute(field.owner)
    expect([await waitsFor(), await field.close()]).toEqual(['waiting-chain', []])
    await sql`update lode.chain_state set stopped_reason = null, stopped_at = null`.execute(field.owner)
    // An operator has set the posted block back, so later blocks must be read again first.
    await sql`update lode.chain_state set booked_number = posted_number + 1`.execute(field.owner)
    expect([await waitsFor(), await field.close()]).toEqual(['waiting-chain', []])
    await sql`update lode.chain_state set booked_number = posted_number`.execute(field.owner)
    expect([await waitsFor(), await field.close(), await field.close()]).toEqual(['due', [day], []])
  })

  it('loses no funding that comes into the books while it is being closed without any', async () => {
    await pledged(1)
    await field.setTime(addDays(day, 2), 13)
    expect(await field.close()).toEqual([day, addDays(day, 1)])
    await field.setTime(addDays(day, 3), 13)
    // Delays the close between adding up the funding and taking it.
    const { promise: isFunded, resolve: funded } = Promise.withResolvers<void>()
    const holding = field.owner.transaction().execute(async (inside) => {
      await sql`lock table lode.day_funding in share mode`.execute(inside)
      await isFunded
    })
    const closing = expect(field.close()).rejects.toThrow('was funded meanwhile')
    await soon(async () => {
      const { rows } = await sql`
        select from pg_catalog.pg_locks where not granted and relation = 'lode.day_funding'::regclass`.execute(
        field.owner,
      )
      expect(rows).toHaveLength(1)
    })
    await field.fund(addDays(day, 2), 5_000n)
    funded()
    await holding
    await closing
    expect(await field.close()).toEqual([addDays(day, 2)])
    expect((await table()).at(-1)).toMatchObject({ day: 3, f: 5_000 })
    // All but the fraction that the division leaves.
    expect(await field.collect(1, randomUUID())).toBe(4_999n)
    expect(await pledgeFindings(field.owner)).toEqual([])
  })

  it('without funding closes with nothing, and stands in the table', async () => {
    await pledged(1)
    await field.setTime(addDays(day, 2), 13)
    await field.close()
    expect((await table()).at(-1)).toEqual({ day: 2, f: 0, x: 0, t: 0, c: 0, s: 30_000 })
    expect(await field.collect(1, randomUUID())).toBe(0n)
  })

  it('is caught up with after days of downtime, in order, each with what was there for it', async () => {
    await pledged(1)
    await field.fund(addDays(day, 1), 10n)
    await field.fund(addDays(day, 3), 30n)
    // Funding for a day that is closed already counts for the next day.
    await field.fund(field.firstDay, 7n)
    await field.setTime(addDays(day, 5), 13)
    expect((await field.close()).map((one) => one - day)).toEqual([0, 1, 2, 3, 4])
    expect((await table()).slice(1).map(({ f, c, s }) => [f, c, s])).toEqual([
      ...[
        [7, 7, 0],
        [10, 0, 30_000],
        [0, 0, 30_000],
        [30, 0, 30_000],
        [0, 0, 30_000],
      ],
    ])
    // 47 is not divisible by three parts: a fraction waits for later days.
    expect(await field.collect(1, randomUUID())).toBe(46n)
  })

  it('closes once, however many workers there are', async () => {
    await pledged(1)
    await field.fund(addDays(day, 1), 1_000n)
    await field.setTime(addDays(day, 4), 13)
    const closed = await Promise.all([field.close(), field.close(), field.close()])
    expect(closed.flat().toSorted()).toEqual([0, 1, 2, 3].map((more) => day + more))
    expect((await systemBalances(field.owner))('dividend:payable', 'BTC')).toBe(1_000n)
  })

  it('takes no pledge any more while it closes: whoever pledges at that moment begins on the next', async () => {
    await field.setTime(addDays(day, 3), 13)
    const pledging = Array.from({ length: 12 }, (_, number) => pledged(1 + (number % 3)))
    await Promise.all([field.close(), ...pledging, field.close()])
    await field.setTime(addDays(day, 6), 13)
    await field.close()
    const { rows } = await sql<{ day: number; weight: string; running: string }>`
      select closed.day, closed.weight, coalesce(sum(pledge.weight), 0) as running
      from lode.production_day closed
      left join lode.pledge on pledge.start_day <= closed.day and closed.day < pledge.end_day
      group by closed.day, closed.weight`.execute(field.owner)
    for (const row of rows) expect(row.weight, `day ${row.day}`).toBe(row.running)
  })

  it('stays as it is once it is closed, whoever tries', async () => {
    await expect(sql`update lode.production_day set carry = 1`.execute(field.owner)).rejects.toThrow(
      'what was written stays',
    )
    await expect(sql`delete from lode.production_day`.execute(field.owner)).rejects.toThrow('what was written stays')
  })
})

describe('funding beyond the most of one day', { timeout: 60_000 }, () => {
  beforeEach(async () => {
    await pledged(1)
    await field.setTime(addDays(day, 1), 13)
    await field.close()
    day = addDays(day, 1)
    await field.fund(day, 3n * MOST)
    await field.setTime(addDays(day, 1), 13)
  })

  it('waits for two operators, and one is not enough', async () => {
    expect([await waitsFor(), await field.close()]).toEqual(['waiting-operators', []])
    const question = dayQuestion(day, 3n * MOST)
    await signAs(field.owner, field.pool, question, field.alice)
    expect([await waitsFor(), await field.close()]).toEqual(['waiting-operators', []])
    await signAs(field.owner, field.pool, question, field.bob)
    // Funding that arrives after the operators signed is above their approval, and waits.
    await field.fund(day, 1n)
    expect(await field.close()).toEqual([day])
    expect((await table()).at(-1)).toMatchObject({ f: 300_000, x: 1, c: 1 })
    const { rows } = await sql`
      select from lode.production_day where decision_id is not null and decision_place = 2`.execute(field.owner)
    expect(rows.length).toBe(1)
  })

  it('is shared out at the plan’s most after 72 hours, and the rest no faster than new money comes', async () => {
    await field.setTime(addDays(day, 4), 11.9)
    expect(await field.close()).toEqual([])
    await field.setTime(addDays(day, 4), 12.1)
    // The three later days have waited as long as this one.
    expect((await field.close()).map((one) => one - day)).toEqual([0, 1, 2, 3])
    await field.fund(addDays(day, 4), 60_000n)
    await field.setTime(addDays(day, 5), 13)
    await field.close()
    expect((await table()).slice(-5).map(({ f, x, t, c }) => [f, x, t, c])).toEqual([
      ...[
        [100_000, 200_000, 0, 200_000],
        [0, 0, 0, 200_000],
        [0, 0, 0, 200_000],
        [0, 0, 0, 200_000],
      ],
      [60_000, 0, 60_000, 140_000],
    ])
    // A remainder of less than one unit waits for later days.
    expect(await field.collect(1, randomUUID())).toBe(219_999n)
  })

  it('is not approved by what was signed for another day, or for less than the plan’s most', async () => {
    await decideBy(field.owner, field.pool, dayQuestion(addDays(day, 1), 3n * MOST), [field.alice, field.bob])
    await decideBy(field.owner, field.pool, dayQuestion(day, MOST), [field.alice, field.bob])
    expect([await waitsFor(), await field.close()]).toEqual(['waiting-operators', []])
  })
})

describe('a pledge', { timeout: 60_000 }, () => {
  it('ends by the clock alone: its BTN is back at midnight, whatever the chain and the closes do', async () => {
    const id = await pledged(1, 20_000n, 1)
    await field.fund(addDays(day, 1), 1_000n)
    await field.setTime(addDays(day, 1), 23.9, { posted: false })
    expect(await field.returnPledges()).toBe(0)
    await field.setTime(addDays(day, 2), 0, { posted: false })
    expect([await field.returnPledges(), await field.returnPledges()]).toEqual([1, 0])
    expect((await balances(field.owner, 1n)).BTN).toMatchObject({ available: 1_000_000n * BTN, pledged: 0n })
    expect((await lines(1, 'BTN'))[0]).toMatchObject({ type: 'pledgeReturn', operation: id, amount: 20_000n * BTN })
    expect(await lines(1, 'BTC')).toEqual([])

    // The remaining dividend is paid automatically, right after the close of the last day.
    await field.setTime(addDays(day, 2), 13)
    await field.close()
    expect(await lines(1, 'BTC')).toMatchObject([{ type: 'pointReward', operation: id, amount: 1_000n }])
    expect(await field.collect(1, randomUUID())).toBe(0n)
  })

  it('loses no day and counts none twice, when it is paid late or a day was closed before its payment was final', async () => {
    const order = await field.order(2, { quantity: 20_000n, termDays: 3, balancePart: 5_000n * BTN })
    if (typeof order === 'string') throw new Error(order)
    const paidAt = await field.setTime(day, 23)
    await field.setTime(addDays(day, 2), 13)
    await field.close()
    await field.pay([order], paidAt)
    const { rows } = await sql<{ start: number; end: number }>`
      select start_day as start, end_day as end from lode.pledge where id = ${order.id}`.execute(field.owner)
    // Paid on the first day, but the second day is closed. So the term is three whole days from the third day on.
    expect(rows).toEqual([{ start: day + 2, end: day + 5 }])
    expect((await balances(field.owner, 2n)).BTN).toMatchObject({ pledged: 20_000n * BTN, frozenOrder: 0n })
    expect((await lines(2, 'BTN'))[0]).toMatchObject({
      type: 'createPledge',
      status: 'confirmed',
      amount: -5_000n * BTN,
    })
  })

  it('is one posting to collect, however many days and pledges it is, and one for one key', async () => {
    for (const quantity of [10_001n, 20_000n, 30_000n]) await pledged(1, quantity)
    await pledged(2, 40_000n)
    for (const more of [1, 2, 3]) await field.fund(addDays(day, more), 10_007n)
    await field.setTime(addDays(day, 4), 13)
    await field.close()
    const key = randomUUID()
    const twice = await Promise.all([1, 2, 3, 4].map(() => field.collect(1, key)))
    expect(new Set(twice).size).toBe(1)
    const others = await Promise.all([1, 2, 3, 4].map(() => field.collect(1, randomUUID())))
    expect(others).toEqual([0n, 0n, 0n, 0n])
    expect((await lines(1, 'BTC')).map(({ type, amount }) => [type, amount])).toEqual([['pointReward', twice[0]]])
    // 60,001 of 100,001 parts of 30,021, rounded down for each pledge.
    expect(twice[0]).toBe(18_012n)
    expect(await field.collect(2, randomUUID())).toBe(12_008n)
  })

  it('is one open order at most, of whole BTN above the least, for a term on offer, and of what is there', async () => {
    const order = async (asked: object) => field.order(3, { quantity: 20_000n, termDays: 3, balancePart: 0n, ...asked })
    expect(await order({ quantity: 10_000n })).toBe('pledge-minimum')
    expect(await order({ termDays: 2 })).toBe('pledge-term')
    expect(await order({ balancePart: 20_000n * BTN + 1n })).toBe('balance-part-range')
    expect(await order({ quantity: 2_000_000n, balancePart: 1_000_001n * BTN })).toBe('balance-insufficient')
    expect(await order({ quantity: 10_001n })).toMatchObject({ type: 3, termDays: 3, weight: 110_011_000n })
    expect(await order({})).toBe('order-open')
  })
})
