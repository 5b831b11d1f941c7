import { randomUUID } from 'node:crypto'
import { addDays, type DayNumber } from '@lode/kernel'
import { sql } from 'kysely'
import { parseUnits } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signAs, signInTurn } from '../../testing/operators.ts'
import { waitUntil } from '../../testing/pool.ts'
import { readBalances, readLogLines, readSystemBalances } from '../ledger/index.ts'
import { proposeDayApproval } from '../operators/index.ts'
import { pledgeFindings } from './check.ts'
import { readNextDay } from './next-day.ts'
import { listMemberDays, listRecords, readOverview } from './queries.ts'
import { BTN, openPledgeFixture, type PledgeFixture, planWithShortTerms } from './testing/pledge-fixture.ts'

let fixture: PledgeFixture
let day: DayNumber
beforeEach(async () => {
  fixture = await openPledgeFixture({ members: 3, plan: planWithShortTerms({ dayFundingMax: '0.001' }) })
  await fixture.setTime(addDays(fixture.firstDay, 1), 13)
  await fixture.close()
  day = addDays(fixture.firstDay, 1)
  for (const member of [1, 2, 3]) await fixture.credit(member, 'BTN', 1_000_000n * BTN)
}, 60_000)
afterEach(() => fixture.end())

const MOST = 100_000n
const DECIMALS = { USDT: 6, BTN: 18, BTC: 8 }

/** Makes a pledge that begins on the day after the present one, which is the next day to be closed. */
async function makePledge(member: number, quantity = 20_000n, days = 7): Promise<string> {
  const made = await fixture.pledge(member, quantity, days)
  if (typeof made === 'string') throw new Error(made)
  return made.id
}

async function table() {
  const { rows } = await sql<Record<'day' | 'f' | 'x' | 't' | 'c' | 's', number>>`
    select day, admitted::int as f, above::int as x, from_carry::int as t, carry::int as c, (weight / 10000)::int as s
    from lode.production_day order by day`.execute(fixture.owner)
  return rows.map((row) => ({ ...row, day: row.day - fixture.firstDay }))
}

const readCloseState = async () => (await readNextDay(fixture.worker, fixture))?.closeState.state
const lines = (member: number, asset: 'BTN' | 'BTC') =>
  readLogLines(fixture.owner, { member: BigInt(member), asset, limit: 20 })

describe('many pledges that end on one day', { timeout: 120_000 }, () => {
  it('are all paid and returned, batch after batch', async () => {
    // A batch has 200.
    const count = 250
    await fixture.credit(1, 'BTN', 10_000_000n * BTN)
    for (let number = 0; number < count; number += 1) await makePledge(1, 20_000n, 7)
    await fixture.fund(addDays(day, 2), 50_000n)
    await fixture.setTime(addDays(day, 9), 13)
    await fixture.close()
    expect(await fixture.returnPledges()).toBe(count)
    const { rows } = await sql<{ unsettled: number; locked: number; least: number }>`
      select count(*) filter (where settled_at is null)::int as unsettled,
             count(*) filter (where returned_at is null)::int as locked, min(paid)::int as least
      from lode.pledge`.execute(fixture.owner)
    // Each is entitled to 200, and fractions of a unit are rounded down.
    expect(rows).toEqual([{ unsettled: 0, locked: 0, least: 199 }])
    expect(await pledgeFindings(fixture.owner)).toEqual([])
  })
})

describe('a day', { timeout: 60_000 }, () => {
  it('closes at the plan’s hour of the next day, once a later block is posted', async () => {
    await fixture.setTime(addDays(day, 1), 11.9)
    expect([await readCloseState(), await fixture.close()]).toEqual(['scheduled', []])
    await fixture.setTime(addDays(day, 1), 13, { posted: false })
    expect([await readCloseState(), await fixture.close()]).toEqual(['waiting-chain', []])
    await fixture.setTime(addDays(day, 1), 13)
    await sql`update lode.chain_state set stopped_reason = 'why', stopped_at = lode.now()`.execute(fixture.owner)
    expect([await readCloseState(), await fixture.close()]).toEqual(['waiting-chain', []])
    await sql`update lode.chain_state set stopped_reason = null, stopped_at = null`.execute(fixture.owner)
    // An operator has set the posted block back, so later blocks must be read again first.
    await sql`update lode.chain_state set booked_number = posted_number + 1`.execute(fixture.owner)
    expect([await readCloseState(), await fixture.close()]).toEqual(['waiting-chain', []])
    await sql`update lode.chain_state set booked_number = posted_number`.execute(fixture.owner)
    expect([await readCloseState(), await fixture.close(), await fixture.close()]).toEqual(['due', [day], []])
  })

  it('loses no funding that is posted while the day is being closed', async () => {
    await makePledge(1)
    await fixture.setTime(addDays(day, 2), 13)
    expect(await fixture.close()).toEqual([day, addDays(day, 1)])
    await fixture.setTime(addDays(day, 3), 13)
    // Delays the close between adding up the funding and taking it.
    const { promise: isFunded, resolve: funded } = Promise.withResolvers<void>()
    const holding = fixture.owner.transaction().execute(async (trx) => {
      await sql`lock table lode.day_funding in share mode`.execute(trx)
      await isFunded
    })
    const closing = expect(fixture.close()).rejects.toThrow('was funded meanwhile')
    await waitUntil(async () => {
      const { rows } = await sql`
        select from pg_catalog.pg_locks where not granted and relation = 'lode.day_funding'::regclass`.execute(
        fixture.owner,
      )
      expect(rows).toHaveLength(1)
    })
    await fixture.fund(addDays(day, 2), 5_000n)
    funded()
    await holding
    await closing
    expect(await fixture.close()).toEqual([addDays(day, 2)])
    expect((await table()).at(-1)).toMatchObject({ day: 3, f: 5_000 })
    // All but the fraction that the division leaves.
    expect(await fixture.collect(1, randomUUID())).toBe(4_999n)
    expect(await pledgeFindings(fixture.owner)).toEqual([])
  })

  it('without funding closes with zero, and is listed', async () => {
    await makePledge(1)
    await fixture.setTime(addDays(day, 2), 13)
    await fixture.close()
    expect((await table()).at(-1)).toEqual({ day: 2, f: 0, x: 0, t: 0, c: 0, s: 30_000 })
    expect(await fixture.collect(1, randomUUID())).toBe(0n)
  })

  it('closes in order after days of downtime, each day with its own funding', async () => {
    await makePledge(1)
    await fixture.fund(addDays(day, 1), 10n)
    await fixture.fund(addDays(day, 3), 30n)
    // Funding for a day that is closed already counts for the next day.
    await fixture.fund(fixture.firstDay, 7n)
    await fixture.setTime(addDays(day, 5), 13)
    expect((await fixture.close()).map((one) => one - day)).toEqual([0, 1, 2, 3, 4])
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
    expect(await fixture.collect(1, randomUUID())).toBe(46n)
  })

  it('counts a pledge on each day of its term, and not after it', async () => {
    await makePledge(1)
    await makePledge(2, 20_000n, 1)
    await makePledge(3, 20_000n, 3)
    await fixture.setTime(addDays(day, 9), 13)
    await fixture.close()
    const weights = (await table()).slice(1).map(({ s }) => s)
    expect(weights).toEqual([0, 72_000, 52_000, 52_000, 30_000, 30_000, 30_000, 30_000, 0])
  })

  it('closes once, even if several workers run', async () => {
    await makePledge(1)
    await fixture.fund(addDays(day, 1), 1_000n)
    await fixture.setTime(addDays(day, 4), 13)
    const closed = await Promise.all([fixture.close(), fixture.close(), fixture.close()])
    expect(closed.flat().toSorted()).toEqual([0, 1, 2, 3].map((more) => day + more))
    expect((await readSystemBalances(fixture.owner))('dividend:payable', 'BTC')).toBe(1_000n)
  })

  it('accepts no pledge while it closes: a pledge made at that moment begins on the next day', async () => {
    await fixture.setTime(addDays(day, 3), 13)
    const pledging = Array.from({ length: 12 }, (_, number) => makePledge(1 + (number % 3)))
    await Promise.all([fixture.close(), ...pledging, fixture.close()])
    await fixture.setTime(addDays(day, 6), 13)
    await fixture.close()
    const { rows } = await sql<{ day: number; weight: string; running: string }>`
      select closed.day, closed.weight, coalesce(sum(pledge.weight), 0) as running
      from lode.production_day closed
      left join lode.pledge on pledge.start_day <= closed.day and closed.day < pledge.end_day
      group by closed.day, closed.weight`.execute(fixture.owner)
    expect(rows.map((row) => row.day).toSorted()).toEqual(
      (await table()).map((row) => row.day + fixture.firstDay).toSorted(),
    )
    expect(rows.some(({ running }) => running !== '0')).toBe(true)
    for (const row of rows) expect(row.weight, `day ${row.day}`).toBe(row.running)
  })

  it('cannot be changed once it is closed, not even by the owner role', async () => {
    await expect(sql`update lode.production_day set carry = 1`.execute(fixture.owner)).rejects.toThrow(
      'what was written stays',
    )
    await expect(sql`delete from lode.production_day`.execute(fixture.owner)).rejects.toThrow('what was written stays')
  })
})

describe('funding above the daily limit', { timeout: 60_000 }, () => {
  beforeEach(async () => {
    await makePledge(1)
    await fixture.setTime(addDays(day, 1), 13)
    await fixture.close()
    day = addDays(day, 1)
    await fixture.fund(day, 3n * MOST)
    await fixture.setTime(addDays(day, 1), 13)
  })

  it('waits for two operators; one is not enough', async () => {
    expect([await readCloseState(), await fixture.close()]).toEqual(['waiting-operators', []])
    const question = proposeDayApproval(day, 3n * MOST)
    await signAs(fixture.owner, fixture.pool, question, fixture.alice)
    expect([await readCloseState(), await fixture.close()]).toEqual(['waiting-operators', []])
    await signAs(fixture.owner, fixture.pool, question, fixture.bob)
    // Funding that arrives after the operators signed is above their approval, and waits.
    await fixture.fund(day, 1n)
    expect(await fixture.close()).toEqual([day])
    expect((await table()).at(-1)).toMatchObject({ f: 300_000, x: 1, c: 1 })
    const { rows } = await sql`
      select from lode.production_day where decision_id is not null and decision_place = 2`.execute(fixture.owner)
    expect(rows.length).toBe(1)
  })

  it('is shared out up to the limit after 72 hours, and the rest no faster than new funding comes', async () => {
    await fixture.setTime(addDays(day, 4), 11.9)
    expect(await fixture.close()).toEqual([])
    const early = sql`select lode.close_day(${day}, 1, null, 0, 0, 0, 0, 0, 0, 0, 0, 0)`.execute(fixture.worker)
    await expect(early).rejects.toThrow('waits for the operators')
    await fixture.setTime(addDays(day, 4), 12.1)
    // The three later days have waited as long as this one.
    expect((await fixture.close()).map((one) => one - day)).toEqual([0, 1, 2, 3])
    await fixture.fund(addDays(day, 4), 60_000n)
    await fixture.setTime(addDays(day, 5), 13)
    await fixture.close()
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
    expect(await fixture.collect(1, randomUUID())).toBe(219_999n)
  })

  it('is not approved by a signature for another day, or for no more than the limit', async () => {
    await signInTurn(fixture.owner, fixture.pool, proposeDayApproval(addDays(day, 1), 3n * MOST), [
      fixture.alice,
      fixture.bob,
    ])
    await signInTurn(fixture.owner, fixture.pool, proposeDayApproval(day, MOST), [fixture.alice, fixture.bob])
    expect([await readCloseState(), await fixture.close()]).toEqual(['waiting-operators', []])
  })
})

describe('a pledge', { timeout: 60_000 }, () => {
  it('ends by the clock alone: its BTN is back at midnight, even if no block or close comes', async () => {
    const id = await makePledge(1, 20_000n, 1)
    await fixture.fund(addDays(day, 1), 1_000n)
    await fixture.setTime(addDays(day, 1), 23.9, { posted: false })
    expect(await fixture.returnPledges()).toBe(0)
    await fixture.setTime(addDays(day, 2), 0, { posted: false })
    expect([await fixture.returnPledges(), await fixture.returnPledges()]).toEqual([1, 0])
    expect((await readBalances(fixture.owner, 1n)).BTN).toMatchObject({ available: 1_000_000n * BTN, pledged: 0n })
    expect((await lines(1, 'BTN'))[0]).toMatchObject({ type: 'pledgeReturn', operation: id, amount: 20_000n * BTN })
    expect(await lines(1, 'BTC')).toEqual([])

    // The remaining dividend is paid automatically, right after the close of the last day.
    await fixture.setTime(addDays(day, 2), 13)
    await fixture.close()
    expect(await lines(1, 'BTC')).toMatchObject([{ type: 'pointReward', operation: id, amount: 1_000n }])
    expect(await fixture.collect(1, randomUUID())).toBe(0n)
  })

  it('gets its full term if a day was closed before its payment was final', async () => {
    const order = await fixture.order(2, { quantity: 20_000n, termDays: 3, balancePart: 5_000n * BTN })
    if (typeof order === 'string') throw new Error(order)
    const paidAt = await fixture.setTime(day, 23)
    await fixture.setTime(addDays(day, 2), 13)
    await fixture.close()
    await fixture.pay([order], paidAt)
    const { rows } = await sql<{ start: number; end: number }>`
      select start_day as start, end_day as end from lode.pledge where id = ${order.id}`.execute(fixture.owner)
    // Paid on the first day, but the second day is closed. So the term is three whole days from the third day on.
    expect(rows).toEqual([{ start: day + 2, end: day + 5 }])
    expect((await readBalances(fixture.owner, 2n)).BTN).toMatchObject({ pledged: 20_000n * BTN, frozenOrder: 0n })
    expect((await lines(2, 'BTN'))[0]).toMatchObject({
      type: 'createPledge',
      status: 'confirmed',
      amount: -5_000n * BTN,
    })
  })

  it('is collected in one ledger transaction for all days and pledges, once for each key', async () => {
    for (const quantity of [10_001n, 20_000n, 30_000n]) await makePledge(1, quantity)
    await makePledge(2, 40_000n)
    for (const more of [1, 2, 3]) await fixture.fund(addDays(day, more), 10_007n)
    await fixture.setTime(addDays(day, 4), 13)
    await fixture.close()
    const key = randomUUID()
    const twice = await Promise.all([1, 2, 3, 4].map(() => fixture.collect(1, key)))
    expect(new Set(twice).size).toBe(1)
    const others = await Promise.all([1, 2, 3, 4].map(() => fixture.collect(1, randomUUID())))
    expect(others).toEqual([0n, 0n, 0n, 0n])
    expect((await lines(1, 'BTC')).map(({ type, amount }) => [type, amount])).toEqual([['pointReward', twice[0]]])
    // 60,001 of 100,001 parts of 30,021, rounded down for each pledge.
    expect(twice[0]).toBe(18_012n)
    expect(await fixture.collect(2, randomUUID())).toBe(12_008n)
  })

  it('is shown in overview and days as it is in its record, also if several are alike', async () => {
    // Each is rounded down by itself, also those that are alike.
    for (const quantity of [10_001n, 10_001n, 10_001n, 30_000n]) await makePledge(1, quantity)
    await makePledge(2, 40_000n)
    await fixture.fund(addDays(day, 1), 10_007n)
    await fixture.setTime(addDays(day, 2), 13)
    await fixture.close()
    await fixture.collect(1, randomUUID())
    await fixture.setTime(addDays(day, 2), 14)
    await makePledge(1, 10_001n)
    for (const more of [2, 3]) await fixture.fund(addDays(day, more), 10_009n)
    await fixture.setTime(addDays(day, 4), 13)
    await fixture.close()

    const toSatoshis = (text: string) => parseUnits(text, 8)
    const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)
    const records = (await listRecords(fixture.api, 1n, { limit: 20 }, DECIMALS)).items
    const overview = await readOverview(fixture.api, 1n, null, {
      plans: fixture.plans,
      operators: fixture.operators,
      orders: { decimals: DECIMALS, finalityMinutes: 1, quotes: null as never },
    })
    const days = (await listMemberDays(fixture.api, 1n, { limit: 20 }, DECIMALS)).items
    const produced = sum(records.map((record) => toSatoshis(record.produced)))
    const collected = sum(records.map((record) => toSatoshis(record.collected)))
    expect(collected).toBeGreaterThan(0n)
    expect(toSatoshis(overview.produced)).toBe(produced)
    expect(sum(days.map(({ amount }) => toSatoshis(amount)))).toBe(produced + collected)
    expect(overview.last?.amount).toBe(days[0]?.amount)
    expect(parseUnits(overview.effective, 4)).toBe(BigInt(days[0]?.weight ?? 0))
    expect(parseUnits(overview.effective, 4)).toBe(sum(records.map(({ effective }) => parseUnits(effective, 4))))
    expect(await fixture.collect(1, randomUUID())).toBe(produced)
  })

  it('is refused below the minimum, for an unknown term, beyond the balance, or while another order is open', async () => {
    const order = async (asked: object) =>
      fixture.order(3, { quantity: 20_000n, termDays: 3, balancePart: 0n, ...asked })
    expect(await order({ quantity: 10_000n })).toBe('pledge-minimum')
    expect(await order({ termDays: 2 })).toBe('pledge-term')
    expect(await order({ balancePart: 20_000n * BTN + 1n })).toBe('balance-part-range')
    expect(await order({ quantity: 2_000_000n, balancePart: 1_000_001n * BTN })).toBe('balance-insufficient')
    expect(await order({ quantity: 10_001n })).toMatchObject({ type: 3, termDays: 3, weight: 110_011_000n })
    expect(await order({})).toBe('order-open')
  })
})
