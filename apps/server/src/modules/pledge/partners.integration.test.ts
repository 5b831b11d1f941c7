import { randomUUID } from 'node:crypto'
import { addDays, type DayNumber, units } from '@lode/kernel'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { balances, logLines, post, systemBalances, type Transaction } from '../ledger/index.ts'
import { collectPartnerReward, readPartnerReward } from '../partner/index.ts'
import { pledgeFindings } from './check.ts'
import { type Field, openField } from './testing/field.ts'

let field: Field
let day: DayNumber
beforeAll(async () => {
  field = await openField({ members: 4 })
  day = field.firstDay
  await field.credit(4, 'USDT', 1_000_000n)
}, 60_000)
afterAll(() => field.end())

/** Posts the partners' part of a promotion that was paid from the balance. */
async function gather(amount: bigint): Promise<void> {
  const operation = randomUUID()
  const [member, line] = [4n, { type: 'upLevelByBalance', operation } as const]
  const move = { asset: 'USDT', amount: units('USDT', amount) } as const
  const aside = { kind: 'frozenOrder', member, line } as const
  await post(field.api, [
    {
      type: 'orderReserve',
      member,
      key: `a:${operation}`,
      moves: [{ ...move, from: { kind: 'available', member, line }, to: aside }],
    },
    {
      type: 'promotionByBalance',
      member,
      key: `b:${operation}`,
      moves: [{ ...move, from: aside, to: 'partner:funded' }],
    },
  ])
}

async function closeNext(): Promise<void> {
  await field.setTime(addDays(day, 1), 13)
  expect(await field.close()).toEqual([day])
  day = addDays(day, 1)
}

async function collect(member: number, key: string = randomUUID()): Promise<bigint | string> {
  const { api: db, sessionOf } = field
  const collected = await collectPartnerReward({ db, session: sessionOf(member) }, { key })
  return collected.ok ? BigInt(collected.value) : collected.error
}

const reward = (member: number) => readPartnerReward(field.api, BigInt(member), { USDT: 6, BTN: 18, BTC: 8 })

const of = async (kind: 'partner:funded' | 'partner:payable' | 'pool:mining') =>
  (await systemBalances(field.owner))(kind, 'USDT')

it('what promotions bring to the partners is shared out alike with each day, from the day after approval', async () => {
  await gather(1_000n)
  await closeNext()
  // There is no partner yet, so the amount goes to the mining fund.
  expect([await of('partner:funded'), await of('pool:mining')]).toEqual([0n, 1_000n])

  await field.appoint(1, day)
  await field.appoint(2, day)
  await gather(500n)
  await closeNext()
  expect([await of('partner:payable'), await of('pool:mining'), await collect(1)]).toEqual([
    0n,
    1_500n,
    'collect-nothing',
  ])

  await gather(1_001n)
  await closeNext()
  expect([await of('partner:funded'), await of('partner:payable')]).toEqual([0n, 1_001n])
  expect([await reward(1), await reward(4)]).toEqual([{ produced: '0.0005', collected: '0' }, null])
  const key = randomUUID()
  expect([await collect(1, key), await collect(1, key), await collect(1)]).toEqual([500n, 500n, 'collect-nothing'])
  expect(await collect(4)).toBe('collect-nothing')
  expect(await reward(1)).toEqual({ produced: '0', collected: '0.0005' })

  // A third partner is appointed. The remainder of the division between two is shared out on later days.
  await field.appoint(3, addDays(day, -1))
  await gather(1_001n)
  await closeNext()
  await closeNext()
  expect([await collect(1), await collect(2), await collect(3)]).toEqual([334n, 834n, 333n])
  expect(await of('partner:payable')).toBe(1n)
  expect((await balances(field.owner, 1n)).USDT.available).toBe(834n)
  const lines = await logLines(field.owner, { member: 1n, asset: 'USDT', limit: 5 })
  expect(lines.map(({ type }) => type)).toEqual(['partnerReward', 'partnerReward'])
})

it('a stolen process shares out nothing otherwise', async () => {
  const closing = sql`select lode.close_partner_day(${addDays(day, -1)}, 0, 3, 1, 1, 0)`
  await expect(closing.execute(field.worker)).rejects.toThrow('reckoned otherwise')
  await expect(closing.execute(field.api)).rejects.toThrow('permission denied')
  const paying = sql`select lode.pay_partner(1, 1000000, null)`
  await expect(paying.execute(field.api)).rejects.toThrow('not entitled')
  // A member who is no partner, while partners have rewards waiting.
  await expect(sql`select lode.pay_partner(4, 1, null)`.execute(field.api)).rejects.toThrow('not entitled')
  // More than is in the ledger, or not a number.
  const last = addDays(day, -1)
  for (const told of [
    sql`select lode.close_partner_day(${last}, 'NaN', 3, 'NaN', 'NaN', 0)`,
    sql`select lode.close_partner_day(${last}, 3, 3, 1e36::numeric, (
          select per_partner + 1e36::numeric from lode.partner_day where day = ${last}),
          (select remainder from lode.partner_day where day = ${last}))`,
  ])
    await expect(told.execute(field.worker)).rejects.toThrow('is not in the books')
  // As if there had been four partners.
  await expect(
    sql`select lode.close_partner_day(${addDays(day, -1)}, 0, 4, 0, 0, 0)`.execute(field.worker),
  ).rejects.toThrow('reckoned otherwise')
})

it('a stolen process pays what partners have not collected to nobody else, nor twice, nor notes what it does not pay', async () => {
  await gather(900n)
  await closeNext()
  const rewarding = (member: bigint, amount: bigint): Transaction => {
    const to = { kind: 'available', member, line: { type: 'partnerReward', operation: randomUUID() } } as const
    const moves = [{ asset: 'USDT', amount: units('USDT', amount), from: 'partner:payable', to }] as const
    return { type: 'partnerReward', member, key: randomUUID(), moves }
  }
  const entitled = async (member: number) => {
    const { rows } = await sql<{ paid: string }>`
      select paid from lode.partner_paid where member_id = ${member}`.execute(field.owner)
    return BigInt(rows[0]?.paid ?? 0) + 300n
  }
  const paying = (notedFor: number, posting: Transaction | null) =>
    field.api.transaction().execute(async (inside) => {
      const [posted] = posting ? await post(inside, [posting]) : []
      const transaction = posted?.outcome === 'posted' ? posted.transaction : null
      await sql`select lode.pay_partner(${notedFor}, ${String(await entitled(notedFor))}::numeric, ${transaction})`.execute(
        inside,
      )
    })
  await expect(post(field.api, [rewarding(4n, 300n)])).rejects.toThrow('nobody is due')
  await expect(post(field.api, [rewarding(1n, 300n)])).rejects.toThrow('nobody is due')
  await expect(paying(1, rewarding(4n, 300n))).rejects.toThrow('is not in the books')
  await expect(paying(1, rewarding(1n, 299n))).rejects.toThrow('is not in the books')
  await expect(paying(1, null)).rejects.toThrow('is not in the books')
  expect([await collect(1), await collect(2)]).toEqual([300n, 300n])
  await expect(paying(1, rewarding(1n, 300n))).rejects.toThrow('not entitled')
  expect(await collect(3)).toBe(300n)
  expect(await pledgeFindings(field.owner)).toEqual([])
})
