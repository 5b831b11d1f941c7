import { randomUUID } from 'node:crypto'
import { addDays, type DayNumber, units } from '@lode/kernel'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerTo } from '../../testing/database.ts'
import { post, systemBalances, type Transaction } from '../ledger/index.ts'
import { closePosting } from './postings.ts'
import { BTN, type Field, openField } from './testing/field.ts'

const DENIED = '42501'

let field: Field
let day: DayNumber
beforeAll(async () => {
  field = await openField({ members: 2 })
  day = addDays(field.firstDay, 2)
  await field.credit(1, 'BTN', 100_000n * BTN)
  await field.setTime(addDays(field.firstDay, 1), 9)
  expect(await field.pledge(1, 20_000n, 7)).toMatchObject({ type: 3 })
  await field.setTime(addDays(day, 1), 11)
  await field.close()
}, 60_000)
afterAll(() => field.end())

describe('a stolen process', { timeout: 60_000 }, () => {
  it('writes none of the tables itself', async () => {
    for (const role of ['lode_api', 'lode_worker', 'lode_signer'] as const)
      for (const statement of [
        ...['production_day', 'day_funding', 'pledge', 'pledge_change', 'share_payment'].map(
          (table) => `delete from lode.${table}`,
        ),
        ...['update lode.pledge set paid = 0', 'update lode.production_day set per_weight = per_weight * 2'],
        `insert into lode.pledge_change (day, stripe, started) values (${day}, 3, 1)`,
        'insert into lode.share_payment values (1)',
      ])
        expect(await answerTo(field.database, role, statement), `${role}: ${statement}`).toBe(DENIED)
    const closing = `select lode.close_day(${day}, 1, null, 0, 0, 0, 0, 0, 0, 0, 0, 0)`
    expect(await answerTo(field.database, 'lode_api', closing)).toBe(DENIED)
    expect(await answerTo(field.database, 'lode_api', 'select lode.return_pledges(1)')).toBe(DENIED)
    expect(await answerTo(field.database, 'lode_signer', 'select lode.lock_next_day()')).toBe(DENIED)
  })

  it('closes no day otherwise than it is reckoned, nor before it is over, nor without posting what it shares out', async () => {
    const { rows } = await sql<{ weight: string }>`select sum(weight) as weight from lode.pledge`.execute(field.owner)
    const weight = BigInt(rows[0]?.weight ?? 0)
    const figures = (f: bigint, q: bigint, r: bigint) =>
      sql`select lode.close_day(${day}, 1, null, ${String(f)}, 0, 0, 0, 0, ${String(weight)}, ${String(q)}, ${String(q)}, ${String(r)})`
    const closing = (f: bigint, q = 0n, r = 0n) => figures(f, q, r).execute(field.worker)
    await field.setTime(day, 23)
    await expect(closing(0n)).rejects.toThrow('is not over')
    await field.setTime(addDays(day, 1), 13)
    // Money that nobody funded, and a quotient without money.
    await expect(closing(1_000n)).rejects.toThrow('is reckoned otherwise')
    await expect(closing(0n, 1n)).rejects.toThrow('is reckoned otherwise')
    await field.fund(day, 1_000n)
    const scaled = 1_000n * 10n ** 36n
    await expect(closing(1_000n, scaled / weight + 1n)).rejects.toThrow('is reckoned otherwise')
    await expect(closing(1_000n, scaled / weight, scaled % weight)).rejects.toThrow('is not in the books')
    const closingWithLess = field.worker.transaction().execute(async (inside) => {
      await post(inside, [closePosting(day, 999n)])
      await figures(1_000n, scaled / weight, scaled % weight).execute(inside)
    })
    await expect(closingWithLess).rejects.toThrow('is not in the books')
    expect(await field.close()).toEqual([day])
  })

  it('orders no pledge that weighs otherwise than its plan has it', async () => {
    type Terms = Record<'type' | 'plan' | 'asset' | 'amount' | 'minutes' | 'days' | 'termWeight' | 'weight', string>
    const honest: Terms = {
      type: '3',
      plan: '1',
      asset: 'BTN',
      amount: String(20_000n * BTN),
      minutes: '30',
      days: '7',
      termWeight: '15000',
      weight: '300000000',
    }
    const make = async (changes: Partial<Terms>) => {
      const { type, plan, asset, amount, minutes, days, termWeight, weight } = { ...honest, ...changes }
      const { rows } = await sql<{ verdict: string }>`
        select lode.make_order(2, ${field.sessionOf(2).id}, ${randomUUID()}, ${type}::int, ${plan}::int, ${asset},
          ${amount}::numeric, 0, ${minutes}::int, null, null, null, ${days}::int, ${termWeight}::int, ${weight}::numeric) as verdict`.execute(
        field.api,
      )
      return rows[0]?.verdict
    }
    for (const changes of [
      ...['300000001', '299999999', '0', '-1', 'NaN', 'Infinity', '0.5', '300000000.0'].map((weight) => ({ weight })),
      ...[{ weight: String(2n ** 128n) }, { termWeight: '15001', weight: '300020000' }, { termWeight: '100000' }],
      // The weight of the longest term for the shortest one, and terms that the plan does not have.
      ...[{ days: '1' }, { days: '1', termWeight: '10000' }, { days: '8' }, { days: '0' }, { days: '-7' }],
      // An amount that is not whole BTN, and one that is not above the minimum.
      ...[{ amount: String(20_000n * BTN + 1n) }, { amount: String(10_000n * BTN), weight: '150000000' }],
      ...[
        { amount: '20001', weight: '300015000' },
        { amount: '1', weight: '15000' },
      ],
      ...[{ asset: 'USDT' }, { type: '1' }, { type: '2' }, { minutes: '29' }],
    ])
      await expect(make(changes), JSON.stringify(changes)).rejects.toThrow('plan 1 does not sell this')
    for (const amount of ['NaN', '-1', '0.5', String(2n ** 128n * BTN)])
      await expect(make({ amount }), amount).rejects.toThrow('whole smallest units')
    expect(await make({ plan: '2' })).toBe('plan-changed')
    const kept = await sql`select from lode.pay_order where member_id = 2`.execute(field.api)
    expect(kept.rows).toEqual([])
    expect(await make({})).toBe('ok')
  })

  it('pays no pledge more than it is entitled to, and begins none that is not in the books', async () => {
    const { rows } = await sql<{ id: string }>`select id from lode.pledge`.execute(field.owner)
    const id = rows[0]?.id ?? ''
    const paying = (amount: bigint, forGood = false) =>
      sql`select lode.pay_pledges(array[${id}]::uuid[], array[${String(amount)}]::numeric[], array[null]::bigint[], ${forGood})`
    for (const db of [field.api, field.worker]) {
      await expect(paying(1_001n).execute(db)).rejects.toThrow('not entitled')
      await expect(paying(999n, true).execute(db)).rejects.toThrow('not entitled')
    }
    const made = await field.order(1, { quantity: 10_001n, termDays: 7, balancePart: 0n })
    if (typeof made === 'string') throw new Error(made)
    const settling = (tx: Buffer | null) =>
      sql`select lode.settle_pledge(${made.id}, ${tx}, ${tx && 0}, ${tx && new Date()})`
    await expect(settling(null).execute(field.api)).rejects.toThrow('is not paid like this')
    await expect(settling(Buffer.alloc(32, 9)).execute(field.api)).rejects.toThrow('is not paid like this')
    await expect(settling(Buffer.alloc(32, 9)).execute(field.worker)).rejects.toThrow('is not in the books')
    // In the ledger by a chain log that brought one unit.
    await post(field.worker, [
      {
        type: 'pledgePaid',
        key: `chain:31337:0x${'09'.repeat(32)}:0`,
        terms: '',
        moves: [{ asset: 'BTN', amount: units('BTN', 1n), from: 'custody:vault', to: { kind: 'pledged', member: 1n } }],
      },
    ])
    await expect(settling(Buffer.alloc(32, 9)).execute(field.worker)).rejects.toThrow('with another amount')
  })

  it('brings nothing into dividend funding but what came through the vault as such', async () => {
    await field.credit(2, 'BTC', 1_000n)
    const before = (await systemBalances(field.owner))('dividend:funded', 'BTC')
    const line = { type: 'transferOut', operation: randomUUID() }
    const amount = units('BTC', 100n)
    const sources = [
      ...[
        { kind: 'available', member: 2n, line },
        { kind: 'frozenOut', member: 2n, line },
      ],
      ...['pool:operations', 'pool:paying', 'suspense:returning', 'custody:cold', 'dividend:payable'],
    ]
    for (const from of sources)
      for (const type of ['dividendFunding', 'treasuryPay', 'dividendClose', 'coldMove', 'transferRelease']) {
        const keyed = { key: type === 'dividendClose' ? 'day:1:x' : `chain:31337:0x${'ee'.repeat(32)}:1`, member: 2n }
        const moves = [{ asset: 'BTC', amount, from, to: 'dividend:funded' }]
        const invented = { type, ...keyed, moves } as unknown as Transaction
        for (const db of [field.api, field.worker]) await expect(post(db, [invented]), type).rejects.toThrow('ledger:')
      }
    expect((await systemBalances(field.owner))('dividend:funded', 'BTC')).toBe(before)

    // A funding row without the money has no effect.
    await sql`
      insert into lode.dividend_funding
        (tx, log_index, block_number, block_time, day, funder, amount, bitcoin_txid, bitcoin_output)
      values (${Buffer.alloc(32, 5)}, 0, 1, lode.now(), ${addDays(day, 1)}, ${Buffer.alloc(20)}, 5000, ${Buffer.alloc(32, 5)}, 0)`.execute(
      field.worker,
    )
    await field.setTime(addDays(day, 2), 13)
    expect(await field.close()).toEqual([addDays(day, 1)])
    const { rows } = await sql<{ f: string; c: string }>`
      select admitted as f, carry as c from lode.production_day order by day desc limit 1`.execute(field.owner)
    expect(rows).toEqual([{ f: '0', c: '0' }])
  })

  it('cannot keep a pledge from ending by spending the keys of its end first', async () => {
    const { rows } = await sql<{ id: string }>`select id from lode.pledge`.execute(field.owner)
    const id = rows[0]?.id ?? ''
    await field.credit(1, 'BTC', 10n)
    for (const key of [`pledge:${id}:return`, `pledge:${id}:rest`]) {
      const line = { type: 'transferOut', operation: randomUUID() } as const
      const spending: Transaction = {
        type: 'transferRequest',
        member: 1n,
        key,
        moves: [
          {
            asset: 'BTC',
            amount: units('BTC', 1n),
            from: { kind: 'available', member: 1n, line },
            to: { kind: 'frozenOut', member: 1n, line },
          },
        ],
      }
      // The member may use this key for its own transaction; it does not block the worker's key of the same text.
      expect(await post(field.api, [spending])).toMatchObject([{ outcome: 'posted' }])
      for (const type of ['pledgeReturn', 'pledgeRest'] as const)
        await expect(post(field.api, [{ ...spending, type } as unknown as Transaction])).rejects.toThrow('may not post')
    }
    await field.setTime(addDays(day, 9), 13)
    expect(await field.close()).toContain(addDays(day, 6))
    await field.returnPledges()
    const ended = await sql<{ done: boolean }>`
      select returned_at is not null and settled_at is not null as done from lode.pledge where id = ${id}`.execute(
      field.owner,
    )
    expect(ended.rows).toEqual([{ done: true }])
  })
})
