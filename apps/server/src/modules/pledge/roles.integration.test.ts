import { randomUUID } from 'node:crypto'
import { addDays, type DayNumber, units } from '@lode/kernel'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findErrorCode } from '../../testing/database.ts'
import { post, readSystemBalances, type Transaction } from '../ledger/index.ts'
import { dayClosePosting } from './postings.ts'
import { BTN, openPledgeFixture, type PledgeFixture } from './testing/pledge-fixture.ts'

const DENIED = '42501'
/** Funded for a day without pledges, so it is carried over to the next day. */
const CARRIED = 500n

let fixture: PledgeFixture
let day: DayNumber
beforeAll(async () => {
  fixture = await openPledgeFixture({ members: 2 })
  day = addDays(fixture.firstDay, 2)
  await fixture.credit(1, 'BTN', 100_000n * BTN)
  await fixture.setTime(addDays(fixture.firstDay, 1), 9)
  expect(await fixture.pledge(1, 20_000n, 7)).toMatchObject({ type: 3 })
  await fixture.fund(addDays(day, -1), CARRIED)
  await fixture.setTime(addDays(day, 1), 11)
  await fixture.close()
}, 60_000)
afterAll(() => fixture.end())

describe('an attacker with a process’s database role', { timeout: 60_000 }, () => {
  it('cannot write the tables directly', async () => {
    for (const role of ['lode_api', 'lode_worker', 'lode_signer'] as const)
      for (const statement of [
        ...['production_day', 'day_funding', 'pledge', 'pledge_change', 'share_payment'].map(
          (table) => `delete from lode.${table}`,
        ),
        ...['update lode.pledge set paid = 0', 'update lode.production_day set per_weight = per_weight * 2'],
        `insert into lode.pledge_change (day, stripe, started) values (${day}, 3, 1)`,
        'insert into lode.share_payment values (1)',
      ])
        expect(await findErrorCode(fixture.database, role, statement), `${role}: ${statement}`).toBe(DENIED)
    const closing = `select lode.close_day(${day}, 1, null, 0, 0, 0, 0, 0, 0, 0, 0, 0)`
    expect(await findErrorCode(fixture.database, 'lode_api', closing)).toBe(DENIED)
    expect(
      await findErrorCode(
        fixture.database,
        'lode_api',
        "select lode.return_pledges(1, 0, '00000000-0000-0000-0000-000000000000')",
      ),
    ).toBe(DENIED)
    expect(await findErrorCode(fixture.database, 'lode_signer', 'select lode.lock_next_day()')).toBe(DENIED)
  })

  it('cannot close a day with wrong figures, before it is over, or without posting its production', async () => {
    const { rows } = await sql<{ weight: string }>`select sum(weight) as weight from lode.pledge`.execute(fixture.owner)
    const weight = BigInt(rows[0]?.weight ?? 0)
    const closing = (f: bigint, t: bigint, q: bigint, r: bigint) =>
      sql`
        select lode.close_day(${day}, 1, null, ${String(f)}, 0, ${String(t)}, ${String(CARRIED - t)}, 0, ${String(weight)},
                              ${String(q)}, ${String(q)}, ${String(r)})`
    /** The right division of what is shared out. */
    const closingWith = (f: bigint, t: bigint) => {
      const scaled = (f + t) * 10n ** 36n
      return closing(f, t, scaled / weight, scaled % weight)
    }
    const refusal = async (statement: ReturnType<typeof closing>) =>
      (await statement.execute(fixture.worker).catch((error: Error) => error.message)) as string
    await fixture.setTime(day, 23)
    expect(await refusal(closingWith(0n, 0n))).toContain('is not over')
    // A block of the closing time itself may be followed by another block of that time.
    await fixture.setTime(addDays(day, 1), 12)
    expect(await refusal(closingWith(0n, 0n))).toContain('is not over')
    await fixture.setTime(addDays(day, 1), 13)
    // Money that nobody funded, and a quotient without money.
    expect(await refusal(closingWith(1_000n, CARRIED))).toContain('has other figures')
    expect(await refusal(closing(0n, 0n, 1n, 0n))).toContain('has other figures')
    await fixture.fund(day, 1_000n)
    const storeEvidence = (result: string) =>
      sql`
        insert into lode.evidence_check (tx, log_index, result, bitcoin_value)
        select tx, log_index, ${result}::text, case ${result}::text when 'found' then 1000 end from lode.unused_funding
        on conflict (tx, log_index) do update set result = excluded.result, bitcoin_value = excluded.bitcoin_value`.execute(
        fixture.worker,
      )
    await storeEvidence('missing')
    expect(await refusal(closingWith(1_000n, CARRIED))).toContain('waits for evidence')
    await storeEvidence('found')
    // Less of the carried money than is due on this day.
    for (const t of [0n, CARRIED - 1n]) expect(await refusal(closingWith(1_000n, t))).toContain('has other figures')
    const [shared, scaled] = [1_000n + CARRIED, (1_000n + CARRIED) * 10n ** 36n]
    const tooMuch = closing(1_000n, CARRIED, scaled / weight + 1n, scaled % weight)
    expect(await refusal(tooMuch)).toContain('has other figures')
    expect(await refusal(closingWith(1_000n, CARRIED))).toContain('is not in the ledger')
    const closingWithLess = fixture.worker.transaction().execute(async (trx) => {
      await post(trx, [dayClosePosting(day, shared - 1n)])
      await closingWith(1_000n, CARRIED).execute(trx)
    })
    await expect(closingWithLess).rejects.toThrow('is not in the ledger')
    expect(await fixture.close()).toEqual([day])
  })

  it('cannot order a pledge with terms that the plan does not sell', async () => {
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
        select lode.make_order(2, ${fixture.sessionOf(2).id}, ${randomUUID()}, ${type}::int, ${plan}::int, ${asset},
          ${amount}::numeric, 0, ${minutes}::int, null, null, null, ${days}::int, ${termWeight}::int, ${weight}::numeric) as verdict`.execute(
        fixture.api,
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
    const kept = await sql`select from lode.pay_order where member_id = 2`.execute(fixture.api)
    expect(kept.rows).toEqual([])
    expect(await make({})).toBe('ok')
  })

  it('cannot pay a pledge more than it is entitled to, or begin one that is not in the ledger', async () => {
    const { rows } = await sql<{ id: string }>`select id from lode.pledge`.execute(fixture.owner)
    const id = rows[0]?.id ?? ''
    const paying = (amount: bigint, forGood = false) =>
      sql`select lode.pay_pledges(array[${id}]::uuid[], array[${String(amount)}]::numeric[], array[null]::bigint[], ${forGood})`
    for (const db of [fixture.api, fixture.worker]) {
      await expect(paying(1_000n + CARRIED + 1n).execute(db)).rejects.toThrow('not entitled')
      await expect(paying(999n, true).execute(db)).rejects.toThrow('not entitled')
    }
    const made = await fixture.order(1, { quantity: 10_001n, termDays: 7, balancePart: 0n })
    if (typeof made === 'string') throw new Error(made)
    const settling = (tx: Buffer | null) =>
      sql`select lode.settle_pledge(${made.id}, ${tx}, ${tx && 0}, ${tx && new Date()})`
    await expect(settling(null).execute(fixture.api)).rejects.toThrow(
      'cannot be settled by this payment or by this role',
    )
    await expect(settling(Buffer.alloc(32, 9)).execute(fixture.api)).rejects.toThrow(
      'cannot be settled by this payment or by this role',
    )
    await expect(settling(Buffer.alloc(32, 9)).execute(fixture.worker)).rejects.toThrow('is not in the ledger')
    // A chain log that brought one unit.
    const tooLittle = fixture.worker.transaction().execute(async (trx) => {
      await post(trx, [
        {
          type: 'pledgePaid',
          key: `chain:31337:0x${'09'.repeat(32)}:0`,
          terms: '',
          moves: [
            { asset: 'BTN', amount: units('BTN', 1n), from: 'custody:vault', to: { kind: 'pledged', member: 1n } },
          ],
        },
      ])
      await settling(Buffer.alloc(32, 9)).execute(trx)
    })
    await expect(tooLittle).rejects.toThrow('has no cause that explains it')
  })

  it('cannot add dividend funding that did not come through the vault', async () => {
    await fixture.credit(2, 'BTC', 1_000n)
    const before = (await readSystemBalances(fixture.owner))('dividend:funded', 'BTC')
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
        for (const db of [fixture.api, fixture.worker])
          await expect(post(db, [invented]), type).rejects.toThrow('ledger:')
      }
    expect((await readSystemBalances(fixture.owner))('dividend:funded', 'BTC')).toBe(before)

    // A funding row without the money has no effect.
    await sql`
      insert into lode.dividend_funding
        (tx, log_index, block_number, block_time, day, funder, amount, bitcoin_txid, bitcoin_output)
      values (${Buffer.alloc(32, 5)}, 0, 1, lode.now(), ${addDays(day, 1)}, ${Buffer.alloc(20)}, 5000, ${Buffer.alloc(32, 5)}, 0)`.execute(
      fixture.worker,
    )
    await fixture.setTime(addDays(day, 2), 13)
    expect(await fixture.close()).toEqual([addDays(day, 1)])
    const { rows } = await sql<{ f: string; c: string }>`
      select admitted as f, carry as c from lode.production_day order by day desc limit 1`.execute(fixture.owner)
    expect(rows).toEqual([{ f: '0', c: '0' }])
  })

  it('cannot keep a pledge from ending by using its ledger keys first', async () => {
    const { rows } = await sql<{ id: string }>`select id from lode.pledge`.execute(fixture.owner)
    const id = rows[0]?.id ?? ''
    await fixture.credit(1, 'BTC', 10n)
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
      await expect(post(fixture.api, [spending])).rejects.toThrow('has no cause that explains it')
      for (const type of ['pledgeReturn', 'pledgeRest'] as const)
        await expect(post(fixture.api, [{ ...spending, type } as unknown as Transaction])).rejects.toThrow(
          'may not post',
        )
    }
    await fixture.setTime(addDays(day, 9), 13)
    expect(await fixture.close()).toContain(addDays(day, 6))
    await fixture.returnPledges()
    const ended = await sql<{ done: boolean }>`
      select returned_at is not null and settled_at is not null as done from lode.pledge where id = ${id}`.execute(
      fixture.owner,
    )
    expect(ended.rows).toEqual([{ done: true }])
  })
})
