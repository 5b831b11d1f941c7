import { randomUUID } from 'node:crypto'
import { addDays, type DayNumber, units } from '@lode/kernel'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { post, readBalances, readLogLines, readSystemBalances, type Transaction } from '../ledger/index.ts'
import { collectPartnerReward, readPartnerReward } from '../partner/index.ts'
import { pledgeFindings } from './check.ts'
import { openPledgeFixture, type PledgeFixture } from './testing/pledge-fixture.ts'

let fixture: PledgeFixture
let day: DayNumber
beforeAll(async () => {
  fixture = await openPledgeFixture({ members: 4 })
  day = fixture.firstDay
  await fixture.credit(4, 'USDT', 1_000_000n)
}, 60_000)
afterAll(() => fixture.end())

async function closeNext(): Promise<void> {
  await fixture.setTime(addDays(day, 1), 13)
  expect(await fixture.close()).toEqual([day])
  day = addDays(day, 1)
}

async function collect(member: number, key: string = randomUUID()): Promise<bigint | string> {
  const { api: db, sessionOf } = fixture
  const collected = await collectPartnerReward({ db, session: sessionOf(member) }, { key })
  return collected.ok ? BigInt(collected.value) : collected.error
}

const reward = (member: number) => readPartnerReward(fixture.api, BigInt(member), { USDT: 6, BTN: 18, BTC: 8 })

const balanceOf = async (kind: 'partner:funded' | 'partner:payable' | 'pool:mining') =>
  (await readSystemBalances(fixture.owner))(kind, 'USDT')

it('each day shares out the partners’ part equally, from the day after a partner’s approval', async () => {
  await fixture.fundPartners(4, 1_000n)
  await closeNext()
  // There is no partner yet, so the amount goes to the mining fund.
  expect([await balanceOf('partner:funded'), await balanceOf('pool:mining')]).toEqual([0n, 1_000n])

  await fixture.appoint(1, day)
  await fixture.appoint(2, day)
  await fixture.fundPartners(4, 500n)
  await closeNext()
  expect([await balanceOf('partner:payable'), await balanceOf('pool:mining'), await collect(1)]).toEqual([
    0n,
    1_500n,
    'collect-nothing',
  ])

  await fixture.fundPartners(4, 1_001n)
  await closeNext()
  expect([await balanceOf('partner:funded'), await balanceOf('partner:payable')]).toEqual([0n, 1_001n])
  expect([await reward(1), await reward(4)]).toEqual([{ produced: '0.0005', collected: '0' }, null])
  const key = randomUUID()
  expect([await collect(1, key), await collect(1, key), await collect(1)]).toEqual([500n, 500n, 'collect-nothing'])
  expect(await collect(4)).toBe('collect-nothing')
  expect(await reward(1)).toEqual({ produced: '0', collected: '0.0005' })

  // A third partner is appointed. The remainder of the division between two is shared out on later days.
  await fixture.appoint(3, addDays(day, -1))
  await fixture.fundPartners(4, 1_001n)
  await closeNext()
  await closeNext()
  expect([await collect(1), await collect(2), await collect(3)]).toEqual([334n, 834n, 333n])
  expect(await balanceOf('partner:payable')).toBe(1n)
  expect((await readBalances(fixture.owner, 1n)).USDT.available).toBe(834n)
  const lines = await readLogLines(fixture.owner, { member: 1n, asset: 'USDT', limit: 5 })
  expect(lines.map(({ type }) => type)).toEqual(['partnerReward', 'partnerReward'])
})

it('an attacker with a process’s database role cannot change how a day is shared out', async () => {
  const closing = sql`select lode.close_partner_day(${addDays(day, -1)}, 0, 3, 1, 1, 0)`
  await expect(closing.execute(fixture.worker)).rejects.toThrow('has other figures')
  await expect(closing.execute(fixture.api)).rejects.toThrow('permission denied')
  const paying = sql`select lode.pay_partner(1, 1000000, null)`
  await expect(paying.execute(fixture.api)).rejects.toThrow('not entitled')
  // A member who is no partner, while partners have rewards waiting.
  await expect(sql`select lode.pay_partner(4, 1, null)`.execute(fixture.api)).rejects.toThrow('not entitled')
  // More than is in the ledger, or not a number.
  const last = addDays(day, -1)
  for (const told of [
    sql`select lode.close_partner_day(${last}, 'NaN', 3, 'NaN', 'NaN', 0)`,
    sql`select lode.close_partner_day(${last}, 3, 3, 1e36::numeric, (
          select per_partner + 1e36::numeric from lode.partner_day where day = ${last}),
          (select remainder from lode.partner_day where day = ${last}))`,
  ])
    await expect(told.execute(fixture.worker)).rejects.toThrow('is not in the ledger')
  // As if there had been four partners.
  await expect(
    sql`select lode.close_partner_day(${addDays(day, -1)}, 0, 4, 0, 0, 0)`.execute(fixture.worker),
  ).rejects.toThrow('has other figures')
})

it('an attacker with the api’s role cannot pay rewards to others or twice, or record a payment that was not made', async () => {
  await fixture.fundPartners(4, 900n)
  await closeNext()
  const rewarding = (member: bigint, amount: bigint): Transaction => {
    const to = { kind: 'available', member, line: { type: 'partnerReward', operation: randomUUID() } } as const
    const moves = [{ asset: 'USDT', amount: units('USDT', amount), from: 'partner:payable', to }] as const
    return { type: 'partnerReward', member, key: randomUUID(), moves }
  }
  const entitled = async (member: number) => {
    const { rows } = await sql<{ paid: string }>`
      select paid from lode.partner_paid where member_id = ${member}`.execute(fixture.owner)
    return BigInt(rows[0]?.paid ?? 0) + 300n
  }
  const paying = (notedFor: number, payment: Transaction | null) =>
    fixture.api.transaction().execute(async (trx) => {
      const [posted] = payment ? await post(trx, [payment]) : []
      const transaction = posted?.outcome === 'posted' ? posted.transaction : null
      await sql`select lode.pay_partner(${notedFor}, ${String(await entitled(notedFor))}::numeric, ${transaction})`.execute(
        trx,
      )
    })
  await expect(post(fixture.api, [rewarding(4n, 300n)])).rejects.toThrow('has no cause that explains it')
  await expect(post(fixture.api, [rewarding(1n, 300n)])).rejects.toThrow('has no cause that explains it')
  await expect(paying(1, rewarding(4n, 300n))).rejects.toThrow('is not in the ledger')
  await expect(paying(1, rewarding(1n, 299n))).rejects.toThrow('is not in the ledger')
  await expect(paying(1, null)).rejects.toThrow('is not in the ledger')
  expect([await collect(1), await collect(2)]).toEqual([300n, 300n])
  await expect(paying(1, rewarding(1n, 300n))).rejects.toThrow('not entitled')
  expect(await collect(3)).toBe(300n)
  expect(await pledgeFindings(fixture.owner)).toEqual([])
})
