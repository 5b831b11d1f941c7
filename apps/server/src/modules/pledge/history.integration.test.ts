import { randomUUID } from 'node:crypto'
import { addDays, SHARE_SCALE } from '@lode/kernel'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit, readBalances, readSystemBalances } from '../ledger/index.ts'
import { EagerDistributor } from './testing/eager-distributor.ts'
import { BTN, openPledgeFixture, type PledgeFixture } from './testing/pledge-fixture.ts'

const MEMBERS = 6
const STEPS = 400
const TERMS = [1, 3, 7] as const
const WEIGHTS = { 1: 10_000n, 3: 11_000n, 7: 15_000n } as const
const MOST = 1_000_000n * 10n ** 8n

let fixture: PledgeFixture
beforeAll(async () => {
  fixture = await openPledgeFixture({ members: MEMBERS })
  for (let member = 1; member <= MEMBERS; member += 1) await fixture.credit(member, 'BTN', 10_000_000n * BTN)
}, 120_000)
afterAll(() => fixture.end())

/** Draws every choice from one seed, which a failure prints. */
function chooser(seed: number) {
  let state = seed
  return (bound: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

describe('four hundred random events', { timeout: 300_000 }, () => {
  const seed = Math.floor(Math.random() * 2 ** 31)

  it(`pay every member what the simple model pays, seed ${seed}`, async () => {
    const choose = chooser(seed)
    const one = <T>(list: readonly T[]): T => list[choose(list.length)] as T
    const eager = new EagerDistributor()
    let today = addDays(fixture.firstDay, 1)
    let lastClosed = addDays(fixture.firstDay, -1)
    let funded = 0n
    let collected = 0n
    const principal = new Map<string, number>()
    const seen = new Set<string>()
    await fixture.setTime(today, 9)

    const begin = async (
      id: string,
      member: number,
      quantity: bigint,
      term: (typeof TERMS)[number],
      paidOn: number,
    ) => {
      const start = Math.max(paidOn, lastClosed) + 1
      const { rows } = await sql<{ start_day: number; end_day: number; weight: string }>`
        select start_day, end_day, weight from lode.pledge where id = ${id}`.execute(fixture.owner)
      const weight = quantity * WEIGHTS[term]
      expect(rows).toEqual([{ start_day: start, end_day: start + term, weight: String(weight) }])
      eager.pledge(String(member), weight, start, term)
      principal.set(id, start + term)
    }

    for (let step = 0; step < STEPS; step += 1) {
      const member = 1 + choose(MEMBERS)
      const term = one(TERMS)
      const quantity = BigInt(10_001 + choose(50_000))
      const what = one([
        'balance',
        'online',
        'fund',
        'fund',
        'collect',
        'collect',
        'days',
        'days',
        'close',
        'close',
      ] as const)
      seen.add(what)
      switch (what) {
        case 'balance': {
          const made = await fixture.pledge(member, quantity, term)
          if (typeof made === 'string') throw new Error(made)
          await begin(made.id, member, quantity, term, today)
          break
        }
        case 'online': {
          const balancePart = choose(2) === 0 ? 0n : BigInt(choose(10_000)) * BTN
          const made = await fixture.order(member, { quantity, termDays: term, balancePart })
          if (typeof made === 'string') throw new Error(made)
          // The block's day may be closed by now.
          const paidOn = addDays(today, -choose(3))
          await fixture.pay([made], new Date(paidOn * 86_400_000 + 1_000))
          await begin(made.id, member, quantity, term, paidOn)
          break
        }
        case 'fund': {
          const amount = BigInt(choose(2) === 0 ? 1 + choose(5) : 1 + choose(100_000_000))
          const day = today - 5 + choose(7)
          await fixture.fund(day, amount)
          eager.fund(day, amount)
          funded += amount
          break
        }
        case 'collect': {
          const before = (await readBalances(fixture.owner, BigInt(member))).BTC.available
          const key = randomUUID()
          const amount = await fixture.collect(member, key)
          expect(amount, `step ${step}`).toBe(eager.collect(String(member)))
          expect((await readBalances(fixture.owner, BigInt(member))).BTC.available - before).toBe(amount)
          expect(await fixture.collect(member, key)).toBe(amount)
          collected += amount
          break
        }
        case 'days':
          today = addDays(today, 1 + choose(4))
          await fixture.setTime(today, choose(24), { posted: choose(4) > 0 })
          break
        case 'close': {
          for (const day of await fixture.close()) {
            lastClosed = day
            eager.closeDay(day, MOST)
            endOf(day)
          }
          await fixture.returnPledges()
        }
      }
      await sound(lastClosed)
    }
    expect(seen.size).toBe(6)

    /** Settles the pledges whose last day this was. */
    function endOf(day: number): void {
      for (const pledge of eager.pledges.filter(({ lastDay }) => lastDay === day)) {
        const whole = pledge.credit / SHARE_SCALE
        collected += whole - pledge.paid
        pledge.paid = whole
      }
    }

    async function sound(upTo: number): Promise<void> {
      const { rows } = await sql<{
        day: number | null
        days: number
        weight: string
        running: string
        left: number
      }>`
        select max(day) as day, count(*)::int as days,
               coalesce((select weight from lode.production_day order by day desc limit 1), 0) as weight,
               (select coalesce(sum(weight), 0) from lode.pledge
                where start_day <= (select max(day) from lode.production_day)
                  and end_day > (select max(day) from lode.production_day)) as running,
               (select count(*)::int from lode.pledge
                where settled_at is null and end_day <= (select max(day) + 1 from lode.production_day)) as left
        from lode.production_day`.execute(fixture.owner)
      const [row] = rows
      expect(row).toMatchObject({ left: 0, weight: row?.running })
      if (row?.day !== null) expect([row?.day, row?.days]).toEqual([upTo, upTo - fixture.firstDay + 1])
      const balance = await readSystemBalances(fixture.owner)
      const payable = balance('dividend:payable', 'BTC')
      expect(balance('dividend:funded', 'BTC') + payable + collected).toBe(funded)
      expect(payable >= 0n && collected <= funded).toBe(true)
    }

    // In the end every dividend is paid and every BTN is back.
    const end = addDays(today, 12)
    await fixture.setTime(end, 13)
    for (const day of await fixture.close()) {
      eager.closeDay(day, MOST)
      endOf(day)
    }
    await fixture.returnPledges()
    for (let member = 1; member <= MEMBERS; member += 1) {
      expect(await fixture.collect(member, randomUUID())).toBe(0n)
      const held = (await readBalances(fixture.owner, BigInt(member))).BTN
      expect([held.pledged, held.frozenOrder]).toEqual([0n, 0n])
    }
    const { rows } = await sql<{ open: number }>`
      select count(*)::int as open from lode.pledge where returned_at is null or settled_at is null`.execute(
      fixture.owner,
    )
    expect(rows).toEqual([{ open: 0 }])
    expect(eager.pledges.every(({ paid, credit }) => paid === credit / SHARE_SCALE)).toBe(true)
    const balance = await readSystemBalances(fixture.owner)
    expect(balance('dividend:funded', 'BTC') + balance('dividend:payable', 'BTC') + collected).toBe(funded)
    expect((await audit(fixture.owner)).findings).toEqual([])
  })
})
