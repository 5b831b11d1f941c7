import { type Asset, type Units, units } from '@lode/kernel'
import { type DataOf, logTypes, routes } from '@lode/wire'
import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type DatabaseConnection } from '../../platform/db/database.ts'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { withoutCauseChecks } from '../../testing/cause-checks.ts'
import { disableMember } from '../../testing/disabled-member.ts'
import { logIn, registerMember, type TestMember } from '../../testing/member.ts'
import { post, type Transaction } from '../ledger/index.ts'

let api: TestApi
let worker: DatabaseConnection
beforeAll(async () => {
  api = await startTestApi()
  worker = connectDatabase(api.database.urlOf('lode_worker'), { name: 'wallet test' })
})
afterAll(async () => {
  await worker.close()
  await api.close()
})

type WalletLogLine = DataOf<'wallet/log'>['lines'][number]
type LogQuery = {
  symbol?: Asset
  type?: WalletLogLine['type']
  status?: WalletLogLine['status']
  tx?: string
  from?: string
  to?: string
  cursor?: string
  limit?: string
}

async function assetsOf({ wallet, token }: TestMember) {
  const answer = await api.call('wallet/assets', { account: wallet.account }, { token })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}

async function logOf({ wallet, token }: TestMember, asked: LogQuery = {}) {
  const query = { account: wallet.account, symbol: 'USDT', ...asked } as Parameters<typeof api.call<'wallet/log'>>[1]
  const answer = await api.call('wallet/log', query, { token })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}

async function readMemberId({ wallet }: TestMember): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    select id from lode.member where account = ${Buffer.from(wallet.account.slice(2), 'hex')}`.execute(api.db)
  return rows[0]?.id ?? 0n
}

let transactionCount = 0
const newTransaction = (): Hex => `0x${(++transactionCount).toString(16).padStart(64, '0')}`

function deposit<A extends Asset>(
  asset: A,
  member: bigint,
  amount: bigint,
  tx = newTransaction(),
  index = 0,
): Transaction {
  const line = { type: 'transferIn', operation: `${tx}:${index}` } as const
  const move = { asset, amount: units(asset, amount) as Units<A>, from: 'custody:vault' }
  const to = { kind: 'available', member, line } as const
  return { type: 'deposit', key: `chain:31337:${tx}:${index}`, moves: [{ ...move, to }] } as unknown as Transaction
}

function transferOut(member: bigint, amount: bigint, fee: bigint, operation: string): Transaction {
  const line = { type: 'transferOut', operation, fee: units('USDT', fee) } as const
  return {
    type: 'transferRequest',
    member,
    key: `${operation}:request`,
    moves: [
      {
        asset: 'USDT',
        amount: units('USDT', amount + fee),
        from: { kind: 'available', member, line },
        to: { kind: 'frozenOut', member, line },
      },
    ],
  }
}

let lastBlock = 0n
/** Inserts a deposit as the watcher does for a block that is not final. */
async function insertIncoming(
  account: Address,
  asset: Asset,
  amount: bigint,
  tx = newTransaction(),
  index = 0,
): Promise<Hex> {
  lastBlock += 1n
  await sql`
    insert into lode.chain_block (number, hash, time)
    values (${lastBlock}, ${Buffer.alloc(32, Number(lastBlock % 256n))}, lode.now())`.execute(worker.db)
  await sql`
    insert into lode.chain_incoming (block_number, log_index, tx, account, asset, amount)
    values (${lastBlock}, ${index}, ${Buffer.from(tx.slice(2), 'hex')}, ${Buffer.from(account.slice(2), 'hex')}, ${asset},
            ${amount.toString()}::numeric)`.execute(worker.db)
  return tx
}

/** Posts the deposit as the watcher does once the block is final. */
const makeFinal = (member: bigint, tx: Hex, amount: bigint, index = 0) =>
  worker.db.transaction().execute(async (trx) => {
    await post(trx, [deposit('USDT', member, amount, tx, index)])
    await sql`delete from lode.chain_incoming where tx = ${Buffer.from(tx.slice(2), 'hex')}`.execute(trx)
  })

const setPrice = (asset: 'BTC' | 'BTN', price: string, ageSeconds: number) =>
  sql`
    insert into lode.price (asset, price, at, source)
    values (${asset}, ${price}::numeric, lode.now() - make_interval(secs => ${ageSeconds}), ${Buffer.alloc(20, 7)})
    on conflict (asset) do update set price = excluded.price, at = excluded.at`.execute(worker.db)

const deletePrices = () => sql`delete from lode.price`.execute(api.db)

describe('the assets of a member', () => {
  it('are zero at first', async () => {
    await deletePrices()
    const { items, total } = await assetsOf(await registerMember(api))
    expect(
      items.map(({ symbol, balance, freeze, incoming, lastChangeAt }) => [
        symbol,
        balance,
        freeze,
        incoming,
        lastChangeAt,
      ]),
    ).toEqual([
      ['USDT', '0', '0', '0', null],
      ['BTN', '0', '0', '0', null],
      ['BTC', '0', '0', '0', null],
    ])
    expect(total).toEqual({ values: '0', without: [] })
  })

  it('are what was posted: available, frozen in parts, and dated by the newest log line', async () => {
    const member = await registerMember(api)
    const id = await readMemberId(member)
    await post(worker.db, [deposit('USDT', id, 100_500_000n)])
    const role = connectDatabase(api.database.urlOf('lode_api'), { name: 'wallet test' })
    const request = transferOut(id, 20_000_000n, 1_000_000n, 'transfer-1')
    await withoutCauseChecks(api.db, () => post(role.db, [request]))
    await role.close()
    const { items } = await assetsOf(member)
    const [newest] = (await logOf(member)).lines
    expect(items[0]).toMatchObject({
      balance: '79.5',
      freeze: '21',
      freezeParts: { out: '21', order: '0', pledged: '0' },
      values: '100.5',
      lastChangeAt: newest?.at,
    })
    expect(newest).toMatchObject({
      type: 'transferOut',
      status: 'confirming',
      direction: 'out',
      amount: '20',
      fee: '1',
    })
  })

  it('are valued by a recent price, rounded down', async () => {
    const member = await registerMember(api)
    await post(worker.db, [deposit('BTC', await readMemberId(member), 33_333_333n)])
    await setPrice('BTC', '65000.10', 60)
    const { items, total } = await assetsOf(member)
    // 0.33333333 × 65,000.10 = 21,666.6997833333…
    expect(items[2]).toMatchObject({ values: '21666.699783', price: { price: '65000.1' } })
    expect(total).toEqual({ values: '21666.699783', without: [] })
  })

  it('have no value if the price is stale, and the total names what it leaves out', async () => {
    const member = await registerMember(api)
    const id = await readMemberId(member)
    await post(worker.db, [deposit('BTC', id, 1n), deposit('USDT', id, 5_000_000n), deposit('BTN', id, 10n ** 18n)])
    await setPrice('BTC', '65000', 7_199)
    await setPrice('BTN', '0.002', 7_201)
    const { items, total } = await assetsOf(member)
    expect(items.map(({ symbol, values, price }) => [symbol, values, price?.price])).toEqual([
      ['USDT', '5', undefined],
      ['BTN', null, undefined],
      ['BTC', '0.00065', '65000'],
    ])
    expect(total).toEqual({ values: '5.00065', without: ['BTN'] })
  })

  it('show incoming deposits that are not final apart from the balance', async () => {
    const member = await registerMember(api)
    await insertIncoming(member.wallet.account, 'USDT', 7_000_000n)
    await insertIncoming(member.wallet.account, 'USDT', 500_000n)
    const { items, total } = await assetsOf(member)
    expect([items[0]?.balance, items[0]?.incoming, total.values]).toEqual(['0', '7.5', '0'])
  })
})

describe('the log', () => {
  it('shows incoming deposits first, and filters them like other lines', async () => {
    const member = await registerMember(api)
    const { account } = member.wallet
    await post(worker.db, [deposit('USDT', await readMemberId(member), 1_000_000n)])
    const first = await insertIncoming(account, 'USDT', 2_000_000n)
    const second = await insertIncoming(account, 'USDT', 3_000_000n)
    await insertIncoming(account, 'BTC', 4n)
    const shown = async (asked: LogQuery) =>
      (await logOf(member, asked)).lines.map(({ status, amount }) => `${status} ${amount}`)

    expect(await shown({})).toEqual(['confirming 3', 'confirming 2', 'confirmed 1'])
    expect(await shown({ type: 'transferIn' })).toEqual(['confirming 3', 'confirming 2', 'confirmed 1'])
    expect(await shown({ status: 'confirming' })).toEqual(['confirming 3', 'confirming 2'])
    expect(await shown({ status: 'confirmed' })).toEqual(['confirmed 1'])
    expect(await shown({ status: 'canceled' })).toEqual([])
    expect(await shown({ type: 'transferOut' })).toEqual([])
    expect(await shown({ symbol: 'BTC' })).toEqual(['confirming 0.00000004'])
    expect(await shown({ tx: first })).toEqual(['confirming 2'])
    expect(await shown({ tx: second, status: 'confirmed' })).toEqual([])
  })

  it('shows a deposit once, as the same line, before and after it becomes final', async () => {
    const member = await registerMember(api)
    const id = await readMemberId(member)
    const tx = await insertIncoming(member.wallet.account, 'USDT', 3_000_000n, undefined, 4)
    const [seen] = (await logOf(member)).lines
    await makeFinal(id, tx, 3_000_000n, 4)
    const [posted, ...others] = (await logOf(member)).lines
    expect([seen?.status, posted?.status, posted?.id, others]).toEqual(['confirming', 'confirmed', seen?.id, []])
    expect((await logOf(member, { status: 'confirming' })).lines).toEqual([])
    expect((await logOf(member, { tx })).lines).toEqual([posted])
  })

  it('never loses or repeats a deposit that is read while it becomes final', async () => {
    const member = await registerMember(api)
    const id = await readMemberId(member)
    const transactions = Array.from({ length: 40 }, () => newTransaction())
    for (const tx of transactions) await insertIncoming(member.wallet.account, 'USDT', 1_000_000n, tx)
    let settling = true
    const found = new Set<string>()
    const readAgainAndAgain = async () => {
      while (settling) {
        const { lines } = await logOf(member, { limit: '100' })
        const { items } = await assetsOf(member)
        const sum = Number(items[0]?.balance) + Number(items[0]?.incoming)
        found.add(`${new Set(lines.map(({ tx }) => tx)).size} in ${lines.length} lines, ${sum} USDT`)
      }
    }
    const readers = [readAgainAndAgain(), readAgainAndAgain(), readAgainAndAgain()]
    for (const tx of transactions) await makeFinal(id, tx, 1_000_000n)
    settling = false
    await Promise.all(readers)
    expect(Array.from(found)).toEqual(['40 in 40 lines, 40 USDT'])
  })

  it('has the available balance after each line, also of several lines in one batch', async () => {
    const member = await registerMember(api)
    const id = await readMemberId(member)
    await post(worker.db, [deposit('USDT', id, 5_000_000n), deposit('USDT', id, 2_000_000n), deposit('BTC', id, 7n)])
    const role = connectDatabase(api.database.urlOf('lode_api'), { name: 'wallet test' })
    await withoutCauseChecks(api.db, () => post(role.db, [transferOut(id, 3_000_000n, 1_000_000n, 'balance-after')]))
    await role.close()
    await post(worker.db, [deposit('USDT', id, 500_000n)])
    await insertIncoming(member.wallet.account, 'USDT', 9_000_000n)
    const shown = async (symbol: Asset) =>
      (await logOf(member, { symbol })).lines.map(({ direction, amount, balanceAfter }) => [
        `${direction} ${amount}`,
        balanceAfter,
      ])
    expect(await shown('USDT')).toEqual([
      ['in 9', null],
      ['in 0.5', '3.5'],
      ['out 3', '3'],
      ['in 2', '7'],
      ['in 5', '5'],
    ])
    expect(await shown('BTC')).toEqual([['in 0.00000007', '0.00000007']])
  })

  it('can be limited to some days, and finds them in a long log without reading the rest', async () => {
    const member = await registerMember(api)
    const id = await readMemberId(member)
    const DAYS = 12
    for (let age = DAYS; age >= 0; age -= 1) {
      await sql`update lode.clock set shift = make_interval(days => ${-age})`.execute(api.db)
      await post(
        worker.db,
        Array.from({ length: 40 }, () => deposit('USDT', id, BigInt(1 + age))),
      )
    }
    await insertIncoming(member.wallet.account, 'USDT', 9_000_000n)
    const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
    const found = async (asked: LogQuery) => {
      const amounts: string[] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await logOf(member, { limit: '100', ...asked, ...(cursor ? { cursor } : {}) })
        amounts.push(...page.lines.map(({ amount }) => amount))
        cursor = page.next
      }
      return [amounts.length, [...new Set(amounts)]]
    }
    expect(await found({ from: dayBefore(7), to: dayBefore(6) })).toEqual([80, ['0.000007', '0.000008']])
    expect(await found({ from: dayBefore(1) })).toEqual([81, ['9', '0.000001', '0.000002']])
    expect(await found({ to: dayBefore(11) })).toEqual([80, ['0.000012', '0.000013']])
    expect(await found({ from: dayBefore(5), to: dayBefore(5), type: 'transferOut' })).toEqual([0, []])
    expect(await found({ from: '2020-01-01', to: '2020-01-31' })).toEqual([0, []])
    expect(await found({ from: '2090-01-01', to: '2090-01-31' })).toEqual([0, []])
  })

  it('finds all deposits of one chain transaction', async () => {
    const member = await registerMember(api)
    const id = await readMemberId(member)
    const tx = newTransaction()
    await post(worker.db, [
      deposit('USDT', id, 1_000_000n, tx, 2),
      deposit('USDT', id, 2_000_000n),
      deposit('USDT', id, 3_000_000n, tx, 10),
      deposit('BTC', id, 4n, tx, 11),
    ])
    const found = async (asked: LogQuery) => (await logOf(member, { tx, ...asked })).lines.map(({ amount }) => amount)
    expect(await found({})).toEqual(['3', '1'])
    expect(await found({ symbol: 'BTC' })).toEqual(['0.00000004'])
    expect(await found({ type: 'pointReward' })).toEqual([])
    expect(await found({ tx: newTransaction() })).toEqual([])
  })

  it('is read page by page over 1,000 lines, each once, while new ones arrive', async () => {
    const member = await registerMember(api)
    const id = await readMemberId(member)
    const many = (count: number) => Array.from({ length: count }, () => deposit('USDT', id, 1_000_000n))
    await post(worker.db, many(500))
    await post(worker.db, many(500))
    const before = (await logOf(member, { limit: '100' })).lines[0]?.id
    const met: WalletLogLine[] = []
    let cursor: string | null | undefined
    while (cursor !== null) {
      const page = await logOf(member, { limit: '100', ...(cursor ? { cursor } : {}) })
      met.push(...page.lines)
      cursor = page.next
      await post(worker.db, many(3))
      await insertIncoming(member.wallet.account, 'USDT', 1n)
    }
    expect(met[0]?.id).toBe(before)
    expect([met.length, new Set(met.map((line) => line.id)).size]).toEqual([1_000, 1_000])
  })

  it('returns 20 lines by default, with a cursor for the next page', async () => {
    const member = await registerMember(api)
    const id = await readMemberId(member)
    await post(
      worker.db,
      Array.from({ length: 21 }, () => deposit('USDT', id, 1n)),
    )
    const first = await logOf(member)
    const last = await logOf(member, { cursor: first.next ?? '' })
    expect([first.lines.length, last.lines.length, last.next]).toEqual([20, 1, null])
    const exact = await logOf(member, { limit: '21' })
    expect([exact.lines.length, exact.next]).toEqual([21, null])
  })

  it('refuses an invalid limit, cursor or filter', async () => {
    const { wallet, token } = await registerMember(api)
    for (const wrong of [
      'limit=0',
      'limit=101',
      'limit=1e2',
      'cursor=-1',
      'cursor=abc',
      `cursor=${'9'.repeat(40)}`,
      'type=x',
      'tx=0x1',
      'from=2026-02-30',
      'to=yesterday',
    ])
      expect([
        wrong,
        (
          await api.fetch(`/api/wallet/log?account=${wallet.account}&symbol=USDT&${wrong}`, {
            headers: { authorization: `Bearer ${token}` },
          })
        ).status,
      ]).toEqual([wrong, 400])
  })

  it('can be filtered by every type', async () => {
    const member = await registerMember(api)
    for (const type of logTypes) expect((await logOf(member, { type })).lines).toEqual([])
  })
})

describe('a member', () => {
  it('never sees another member’s assets or log, with any filter', async () => {
    const [one, other] = [await registerMember(api), await registerMember(api)]
    const tx = newTransaction()
    await post(worker.db, [deposit('USDT', await readMemberId(one), 9_000_000n, tx)])
    const seen = await insertIncoming(one.wallet.account, 'USDT', 8_000_000n)
    for (const asked of [{}, { type: 'transferIn' }, { status: 'confirming' }, { tx }, { tx: seen }] as const)
      expect((await logOf(other, asked)).lines).toEqual([])
    expect((await assetsOf(other)).items.every(({ balance, incoming }) => balance === '0' && incoming === '0')).toBe(
      true,
    )

    for (const path of ['wallet/assets?', 'wallet/log?symbol=USDT&']) {
      const ask = (headers: Record<string, string>) =>
        api.fetch(`/api/${path}account=${one.wallet.account}`, { headers })
      const foreign = await ask({ authorization: `Bearer ${other.token}` })
      expect(await foreign.json()).toMatchObject({ code: 403, reason: 'account-mismatch' })
      expect((await ask({})).status).toBe(401)
    }
  })

  it('sees its assets and its log in an exit session', async () => {
    const { wallet } = await registerMember(api)
    await disableMember(api.db, wallet.account)
    const { token } = (await logIn(api, wallet, { exit: true })).body.data
    expect((await api.call('wallet/assets', { account: wallet.account }, { token })).status).toBe(200)
    expect((await api.call('wallet/log', { account: wallet.account, symbol: 'BTN' }, { token })).status).toBe(200)
    expect([routes['wallet/assets'].access, routes['wallet/log'].access]).toEqual(['exit', 'exit'])
  })
})
