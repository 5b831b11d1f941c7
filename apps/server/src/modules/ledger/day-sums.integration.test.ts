import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { splitSqlStatements } from '../../platform/db/sql-statements.ts'
import { findErrorCode } from '../../testing/database.ts'
import { audit, auditInTransaction } from './audit/audit.ts'
import { assetCodes, logTypeCodes } from './chart.ts'
import { readMemberSums } from './member-sums.ts'
import { post } from './post.ts'
import { fillLedger } from './testing/fill-ledger.ts'
import { newChainLogKey, openTestLedger, type TestLedger, usdt } from './testing/test-ledger.ts'
import { deposit, transferRelease, transferRequest } from './testing/transactions.ts'
import type { Transaction } from './transaction.ts'

let ledger: TestLedger
async function openLedger(): Promise<void> {
  ledger = await openTestLedger({ connections: 12 })
  // Days are in UTC whatever the time zone of a session is. This one is 13 hours ahead in November.
  await sql`alter database ${sql.id(ledger.database.name)} set timezone to 'Pacific/Auckland'`.execute(ledger.owner)
}
beforeAll(openLedger)
afterAll(() => ledger.close())

type Row = { readonly type: number; readonly day: string; readonly amount: string; readonly fee: string }

async function readRows(member: bigint): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select type, (date '1970-01-01' + day)::text as day, amount, fee from lode.ledger_day_sum
    where member = ${member} order by asset, type, day`.execute(ledger.owner)
  return rows
}

const readTotals = async (member: bigint) =>
  (await readMemberSums(ledger.api, member)).map(({ type, amount, fee }) => ({ type, amount, fee }))

/** A transfer of 20 USDT with a fee of 1. `claimedFee` is what the caller says about the fee at the end. */
function transferWithFee(member: bigint, operation: string, claimedFee = 1n): [Transaction, Transaction] {
  const line = { type: 'transferOut', operation, fee: usdt(1) }
  const own = (kind: string, fee = line.fee) => ({ kind, member, line: { ...line, fee } })
  const ended = own('frozenOut', usdt(claimedFee))
  const request = {
    type: 'transferRequest',
    member,
    key: `${operation}:request`,
    moves: [{ asset: 'USDT', amount: usdt(21), from: own('available'), to: own('frozenOut') }],
  }
  const paid = {
    type: 'transferPaid',
    key: newChainLogKey(),
    moves: [
      { asset: 'USDT', amount: usdt(20), from: ended, to: 'custody:vault' },
      { asset: 'USDT', amount: usdt(1), from: ended, to: 'pool:operations' },
    ],
  }
  return [request, paid] as unknown as [Transaction, Transaction]
}

describe('the kept sums', () => {
  it('have a row for a confirmed line, and none for money that was only frozen and unfrozen', async () => {
    const [member = 0n] = await ledger.members(1)
    await post(ledger.worker, [deposit('USDT', member, usdt(100))])
    for (const operation of ['a', 'b', 'c']) {
      await post(ledger.api, [transferRequest('USDT', member, usdt(30), operation)])
      await post(ledger.api, [transferRelease('USDT', member, usdt(30), operation)])
    }
    await post(ledger.api, [transferRequest('USDT', member, usdt(40), 'still-waiting')])
    expect(await readTotals(member)).toEqual([{ type: 'transferIn', amount: 100n, fee: 0n }])
  })

  it('count a transfer when it is paid, with the fee of its request', async () => {
    const [member = 0n] = await ledger.members(1)
    await post(ledger.worker, [deposit('USDT', member, usdt(100))])
    const [request, paid] = transferWithFee(member, 'first', 7n)
    await post(ledger.api, [request])
    expect(await readTotals(member)).toEqual([{ type: 'transferIn', amount: 100n, fee: 0n }])
    await post(ledger.worker, [paid])
    expect((await readTotals(member)).toSorted((one, other) => Number(one.amount - other.amount))).toEqual([
      { type: 'transferOut', amount: -20n, fee: 1n },
      { type: 'transferIn', amount: 100n, fee: 0n },
    ])
  })

  it('add up several lines of a batch, and leave out what was not posted', async () => {
    const [one = 0n, other = 0n] = await ledger.members(2)
    const repeated = deposit('USDT', one, usdt(5))
    await post(ledger.worker, [deposit('USDT', other, usdt(2)), repeated, deposit('USDT', one, usdt(6)), repeated])
    await post(ledger.worker, [repeated])
    const [, unfunded] = transferWithFee(one, 'never-requested')
    const undone = await post(ledger.worker, [deposit('USDT', one, usdt(50)), unfunded], { together: true })
    expect(undone.map(({ outcome }) => outcome)).toEqual(['undone', 'insufficient'])
    const conflict = { ...deposit('USDT', one, usdt(9)), key: repeated.key } as Transaction
    const outcomes = await post(ledger.worker, [deposit('USDT', other, usdt(70)), conflict], { together: true })
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['undone', 'conflict'])
    expect(await readTotals(one)).toEqual([{ type: 'transferIn', amount: 11n, fee: 0n }])
    expect(await readTotals(other)).toEqual([{ type: 'transferIn', amount: 2n, fee: 0n }])
  })

  it('begin a new row at midnight UTC, in both posting functions', async () => {
    const [member = 0n] = await ledger.members(1)
    const setTime = (time: string) =>
      sql`update lode.clock set shift = ${time}::timestamptz - now()`.execute(ledger.owner)
    const request = transferRequest('USDT', member, usdt(10), 'over-night')
    const paid: Transaction = {
      type: 'transferPaid',
      key: newChainLogKey(),
      moves: [
        {
          asset: 'USDT',
          amount: usdt(10),
          from: { kind: 'frozenOut', member, line: { type: 'transferOut', operation: 'over-night' } },
          to: 'custody:vault',
        },
      ],
    }
    try {
      // The shift is set a moment before the posts, so the evening has a minute left.
      await setTime('2026-11-20T23:59:00Z')
      await post(ledger.worker, [deposit('USDT', member, usdt(100))])
      await post(ledger.worker, [deposit('USDT', member, usdt(20)), deposit('USDT', member, usdt(3))])
      await post(ledger.api, [request])
      await setTime('2026-11-21T00:00:00Z')
      await post(ledger.worker, [deposit('USDT', member, usdt(1_000))])
      await post(ledger.worker, [deposit('USDT', member, usdt(200)), deposit('USDT', member, usdt(30))])
      await post(ledger.worker, [paid])
    } finally {
      await sql`update lode.clock set shift = interval '0'`.execute(ledger.owner)
    }
    expect(await readRows(member)).toEqual([
      { type: logTypeCodes.transferIn, day: '2026-11-20', amount: '123', fee: '0' },
      { type: logTypeCodes.transferIn, day: '2026-11-21', amount: '1230', fee: '0' },
      { type: logTypeCodes.transferOut, day: '2026-11-21', amount: '-10', fee: '0' },
    ])
  })

  it('are exact after posts of the same members at once, which do not deadlock', { timeout: 120_000 }, async () => {
    const members = await ledger.members(6)
    const forwards = (amount: number) => members.map((member) => deposit('USDT', member, usdt(amount)))
    await post(ledger.worker, forwards(1_000))
    await Promise.all(
      Array.from({ length: 40 }, async (_, round) => {
        await post(ledger.worker, forwards(1))
        await post(ledger.worker, forwards(10).toReversed())
        await Promise.all(members.map((member) => post(ledger.worker, [deposit('USDT', member, usdt(100))])))
        const [request, paid] = transferWithFee(members[round % 6] ?? 0n, `round-${round}`)
        await post(ledger.api, [request])
        await post(ledger.worker, [paid])
      }),
    )
    for (const [index, member] of members.entries()) {
      const transfers = BigInt(
        Array.from({ length: 40 }, (_, round) => round % 6).filter((own) => own === index).length,
      )
      const totals = await readTotals(member)
      expect(totals).toContainEqual({ type: 'transferIn', amount: 1_000n + 40n * 111n, fee: 0n })
      expect(totals).toContainEqual({ type: 'transferOut', amount: -20n * transfers, fee: transfers })
    }
  })

  it('cannot be written by any process', async () => {
    for (const role of ['lode_api', 'lode_worker', 'lode_signer', 'lode_operator'] as const)
      for (const statement of [
        'insert into lode.ledger_day_sum values (1, 1, 1, 1, 1, 0)',
        'update lode.ledger_day_sum set amount = amount + 1',
        'delete from lode.ledger_day_sum',
      ])
        expect(await findErrorCode(ledger.database, role, statement)).toBe('42501')
  })
})

describe('after every type of transaction', () => {
  beforeAll(async () => {
    // What is posted next depends on what the ledger has, so the tests above must leave nothing in it.
    await ledger.close()
    await openLedger()
    await fillLedger(ledger, 11, 500)
    await ledger.enableCauseChecks()
  }, 120_000)

  /** Computed from the postings, without the amounts of the log lines. */
  const SUMS_OF_POSTINGS = sql`
    select posting.member, line.asset, line.type, floor(extract(epoch from made.posted_at) / 86400)::int as day,
           sum(posting.amount) as change
    from lode.posting
    join lode.ledger_transaction made on made.id = posting.transaction
    join lode.log_line line
      on line.member = posting.member and line.asset = (posting.account >> 6) & 3 and line.id = posting.line
    group by 1, 2, 3, 4 having sum(posting.amount) <> 0`

  async function expectSumsOfPostings(): Promise<void> {
    const { rows } = await sql<{ compared: number; types: number; different: number }>`
      select count(*)::int as compared, count(distinct type)::int as types,
             count(*) filter (where (change = amount - fee) is not true)::int as different
      from (${SUMS_OF_POSTINGS}) as due full join lode.ledger_day_sum using (member, asset, type, day)`.execute(
      ledger.owner,
    )
    expect(rows[0]?.compared).toBeGreaterThan(20)
    expect(rows[0]).toMatchObject({ types: Object.keys(logTypeCodes).length, different: 0 })
  }

  it('they are the sums of the postings, and the audit finds nothing', async () => {
    await expectSumsOfPostings()
    expect((await audit(ledger.owner)).findings).toEqual([])
  })

  it.each([
    ['a kept sum is not the sum of its log lines', 'update lode.ledger_day_sum set amount = amount + 1 where', 1n],
    ['a kept sum is not the sum of its log lines', 'update lode.ledger_day_sum set fee = fee + 1 where', 1n],
    ['a kept sum is not the sum of its log lines', 'delete from lode.ledger_day_sum where', 1n],
    [
      'a kept sum has no log lines',
      'insert into lode.ledger_day_sum select member, asset, type, day + 9999, amount, fee from lode.ledger_day_sum where',
      1n,
    ],
  ])('the audit reports "%s" after: %s …', async (wrong, statement, count) => {
    const undo = new Error('undo')
    const attempt = ledger.owner.transaction().execute(async (trx) => {
      const chosen = sql`(member, asset, type, day) = (
        select member, asset, type, day from lode.ledger_day_sum where asset = ${assetCodes.USDT} order by 1 limit 1)`
      await sql`${sql.raw(statement)} ${chosen}`.execute(trx)
      const { findings } = await auditInTransaction(trx)
      expect(findings).toEqual([{ wrong, count, examples: [expect.stringMatching(/^member \d+, asset 1, log type/)] }])
      throw undo
    })
    await expect(attempt).rejects.toBe(undo)
  })

  it('the migration fills the table from the history', async () => {
    const readAll = async () =>
      (await sql`select * from lode.ledger_day_sum order by member, asset, type, day`.execute(ledger.owner)).rows
    const before = await readAll()
    await sql`drop table lode.ledger_day_sum`.execute(ledger.owner)
    await sql`drop index lode.pay_order_successful`.execute(ledger.owner)
    const migration = await readFile(new URL('../../migrations/1500_day_sums.sql', import.meta.url), 'utf8')
    await ledger.owner.transaction().execute(async (trx) => {
      for (const statement of splitSqlStatements(migration)) await sql.raw(statement).execute(trx)
    })
    expect(await readAll()).toEqual(before)
    await expectSumsOfPostings()
  })
})
