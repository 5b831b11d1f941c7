import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post } from './post.ts'
import {
  buildLogQuery,
  type LogQuery,
  readBalances,
  readLastChanges,
  readLogLines,
  readSystemBalances,
} from './queries.ts'
import { btc, openTestLedger, type TestLedger, usdt } from './testing/test-ledger.ts'
import { deposit, transferPaid, transferRelease, transferRequest } from './testing/transactions.ts'

let ledger: TestLedger
let member: bigint
beforeAll(async () => {
  ledger = await openTestLedger()
  member = (await ledger.members(1))[0] ?? 0n
  await post(ledger.worker, [
    deposit('USDT', member, usdt(100)),
    deposit('BTC', member, btc(7)),
    deposit('USDT', member, usdt(50)),
  ])
  await post(ledger.api, [
    transferRequest('USDT', member, usdt(10), 'paid'),
    transferRequest('USDT', member, usdt(20), 'released'),
    transferRequest('USDT', member, usdt(30), 'waiting'),
  ])
  await post(ledger.worker, [transferPaid('USDT', member, usdt(10), 'paid')])
  await post(ledger.api, [transferRelease('USDT', member, usdt(20), 'released')])
})
afterAll(() => ledger.close())

describe('balances', () => {
  it('show what is available and what is frozen, by asset', async () => {
    expect(await readBalances(ledger.api, member)).toMatchObject({
      USDT: { available: 110n, frozenOut: 30n, frozenOrder: 0n },
      BTN: { available: 0n },
      BTC: { available: 7n },
    })
  })

  it('of a member without accounts are zero', async () => {
    expect((await readBalances(ledger.api, 987_654n)).USDT.available).toBe(0n)
  })

  it('of the system sum all stripes, and custody is minus what the chain holds', async () => {
    const of = await readSystemBalances(ledger.api)
    expect([of('custody:vault', 'USDT'), of('custody:vault', 'BTC'), of('pool:mining', 'USDT')]).toEqual([
      -140n,
      -7n,
      0n,
    ])
  })
})

describe('the log', () => {
  const read = async (query: Partial<LogQuery> = {}) =>
    (await readLogLines(ledger.api, { member, asset: 'USDT', limit: 100, ...query })).map(
      ({ type, status, amount }) => `${type} ${status} ${amount}`,
    )

  it('shows one line for each operation with its status, newest first', async () => {
    expect(await read()).toEqual([
      'transferOut confirming -30',
      'transferOut canceled -20',
      'transferOut confirmed -10',
      'transferIn confirmed 50',
      'transferIn confirmed 100',
    ])
  })

  it('shows when a frozen amount was settled or unfrozen', async () => {
    const lines = await readLogLines(ledger.api, { member, asset: 'USDT', limit: 3 })
    expect(lines.map(({ endedAt }) => endedAt !== null)).toEqual([false, true, true])
  })

  it('is filtered by type and by status', async () => {
    expect(await read({ type: 'transferIn' })).toEqual(['transferIn confirmed 50', 'transferIn confirmed 100'])
    expect(await read({ status: 'confirming' })).toEqual(['transferOut confirming -30'])
    expect(await read({ status: 'canceled' })).toEqual(['transferOut canceled -20'])
    expect(await read({ status: 'confirmed', type: 'transferOut' })).toEqual(['transferOut confirmed -10'])
  })

  it('is read page by page without losing or repeating a line', async () => {
    const pages: string[] = []
    for (let before: bigint | undefined; ; ) {
      const page = await readLogLines(ledger.api, {
        member,
        asset: 'USDT',
        limit: 2,
        ...(before === undefined ? {} : { before }),
      })
      pages.push(...page.map(({ amount }) => String(amount)))
      before = page.at(-1)?.id
      if (page.length < 2) break
    }
    expect(pages).toEqual(['-30', '-20', '-10', '50', '100'])
  })

  it('dates the last change of each asset by its newest line', async () => {
    const changes = await readLastChanges(ledger.api, member)
    expect([changes.USDT instanceof Date, changes.BTN, changes.BTC instanceof Date]).toEqual([true, null, true])
  })

  it('is read in order from an index with every filter, and reading stops at the end of the page', async () => {
    const [busy = 0n] = await ledger.members(1)
    await post(
      ledger.worker,
      Array.from({ length: 400 }, () => deposit('USDT', busy, usdt(1))),
    )
    await sql`analyze lode.log_line`.execute(ledger.owner)
    const planOf = async (filter: Partial<LogQuery>) => {
      const query = buildLogQuery({ member: busy, asset: 'USDT', limit: 10, ...filter })
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (costs off) ${query}`.execute(ledger.owner)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    for (const [filter, index] of [
      [{}, /Index Scan Backward using log_line_\d+_pkey/],
      [{ before: 200n }, /Index Scan Backward using log_line_\d+_pkey/],
      [{ status: 'confirmed' }, /Index Scan Backward using log_line_\d+_pkey/],
      [{ type: 'transferIn' }, /Index Scan Backward using log_line_\d+_member_asset_type_id_idx/],
      [{ status: 'canceled' }, /log_line_\d+_member_asset_id_idx/],
    ] as const) {
      const plan = await planOf(filter)
      expect(plan).toMatch(index)
      expect(plan).not.toMatch(/Sort|Seq Scan on log_line/)
    }
    const found = await planOf({ type: 'transferIn', operationPrefix: 'chain:31337:0xab:' })
    expect(found).toMatch(/Index Scan using log_line_\d+_member_asset_type_operation_key/)
  })

  it('finds exactly the operations with a given prefix', async () => {
    const [one = 0n] = await ledger.members(1)
    await post(
      ledger.worker,
      ['0xaa:0', '0xab:0', '0xab:11', '0xab', '0xac:0'].map((log) =>
        deposit('USDT', one, usdt(1), `chain:31337:${log}`),
      ),
    )
    const found = await readLogLines(ledger.api, {
      member: one,
      asset: 'USDT',
      type: 'transferIn',
      limit: 9,
      operationPrefix: 'chain:31337:0xab:',
    })
    expect(found.map(({ operation }) => operation)).toEqual(['chain:31337:0xab:11', 'chain:31337:0xab:0'])
  })
})
