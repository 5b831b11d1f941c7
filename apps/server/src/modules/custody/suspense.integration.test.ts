import { units } from '@lode/kernel'
import { sql } from 'kysely'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import { connectDatabase } from '../../platform/db/database.ts'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { registerMember, requestAndSign } from '../../testing/member.ts'
import { startTestPool, type TestPool } from '../../testing/pool.ts'
import { createTestWallet } from '../../testing/wallet.ts'
import { createFirstMember } from '../identity/index.ts'
import { post, readBalances, readLogLines, readSuspense } from '../ledger/index.ts'
import { noteAllSuspense, sweepSuspense } from './suspense.ts'

const ROUNDS = 20

let pool: TestPool
let api: TestApi
let invite: string

beforeAll(async () => {
  pool = await startTestPool({ slotsInAnEpoch: 1, wallets: ROUNDS + 2 })
  api = await startTestApi(pool.environment, pool.database)
  const root = await createFirstMember(pool.db, createTestWallet().account)
  invite = root.ok ? root.value : ''
  await pool.startWorker()
})
afterAll(async () => {
  await api.close()
  await pool.close()
})

const asWallet = (account: PrivateKeyAccount) => ({
  account: account.address,
  sign: (message: string) => account.signMessage({ message }),
})
const register = (account: PrivateKeyAccount) => registerMember(api, asWallet(account), invite)

async function memberId(account: PrivateKeyAccount): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    select id from lode.member where account = ${bytesOf(account.address)}`.execute(pool.db)
  if (!rows[0]) throw new Error('the account is not registered')
  return rows[0].id
}

describe('money from an address that registers later', () => {
  it('is credited by the registration itself', async () => {
    const [newcomer] = pool.wallets as [PrivateKeyAccount]
    await pool.transfer(newcomer, 'USDT', 30n)
    await pool.deposit(newcomer, 'USDT', 12n)
    await pool.transfer(newcomer, 'BTN', 7n)
    await pool.finalize()
    expect(await readSuspense(pool.db, newcomer.address)).toMatchObject([{ amount: 42n }, { amount: 7n }])

    await register(newcomer)
    const member = await memberId(newcomer)
    expect(await readBalances(pool.db, member)).toMatchObject({ USDT: { available: 42n }, BTN: { available: 7n } })
    expect(await readLogLines(pool.db, { member, asset: 'USDT', limit: 9 })).toMatchObject([
      { type: 'suspenseCredit', amount: 42n, status: 'confirmed' },
    ])
    expect(await readSuspense(pool.db, newcomer.address)).toEqual([])
  })

  it(`reaches the member in each of ${ROUNDS} races between finality and registration`, {
    timeout: 90_000,
  }, async () => {
    for (const account of pool.wallets.slice(2)) {
      await pool.transfer(account, 'USDT', 5n)
      await Promise.all([pool.mine(2), register(account)])
    }
    await pool.finalize()
    for (const account of pool.wallets.slice(2)) {
      expect((await readBalances(pool.db, await memberId(account))).USDT.available).toBe(5n)
      expect(await readSuspense(pool.db, account.address)).toEqual([])
    }
    const { books, chain } = await pool.readCustody()
    expect(books).toEqual(chain)
  })

  it('is credited by the sweep if it was sent directly to cold storage', async () => {
    const [member] = pool.wallets as [PrivateKeyAccount]
    await pool.transfer(member, 'BTC', 9n, pool.accountOf('coldStorage').address)
    await pool.finalize()
    const { books, chain } = await pool.readCustody()
    expect(books).toEqual(chain)
    // Connected with the worker's role, to test its rights.
    const worker = connectDatabase(pool.database.urlOf('lode_worker'), { name: 'sweeper' })
    const id = await memberId(member)
    const version = (await readSuspense(pool.db, member.address))[0]?.version
    // Only the whole amount, under the key that names this state of the account: any other key may be needed later.
    // The line of the log has the same name, because every name can be used once.
    for (const [key, amount, operation = key] of [
      [`suspense:BTC:${version}`, 8n],
      [`suspense:BTC:${Number(version) + 1}`, 9n],
      ['order:of-somebody:airdrop', 9n],
      [`suspense:BTC:${version}`, 9n, `suspense:BTC:${Number(version) + 1}`],
    ] as const) {
      const from = { kind: 'suspense:address', address: member.address } as const
      const to = { kind: 'available', member: id, line: { type: 'suspenseCredit', operation } } as const
      const moves = [{ asset: 'BTC', amount: units('BTC', amount), from, to }] as const
      await expect(post(worker.db, [{ type: 'suspenseCredit', member: id, key, moves }])).rejects.toThrow(
        'has no cause that explains it',
      )
    }
    await sweepSuspense(worker.db)
    expect(await sweepSuspense(worker.db)).toBe(0)
    await worker.close()
    expect((await sql`select from lode.suspense_due`.execute(pool.db)).rows).toEqual([])
    expect(await readLogLines(pool.db, { member: await memberId(member), asset: 'BTC', limit: 9 })).toMatchObject([
      { type: 'suspenseCredit', amount: 9n },
    ])
  })
})

describe('a note for the sweep that is missing', () => {
  it('is made by the daily look at all unregistered addresses', async () => {
    const [member] = pool.wallets as [PrivateKeyAccount]
    await pool.transfer(member, 'BTC', 3n, pool.accountOf('coldStorage').address)
    await pool.finalize()
    const worker = connectDatabase(pool.database.urlOf('lode_worker'), { name: 'sweeper' })
    await sql`delete from lode.suspense_due`.execute(worker.db)
    const { BTC: before } = await readBalances(pool.db, await memberId(member))
    expect(await sweepSuspense(worker.db)).toBe(0)
    await noteAllSuspense(worker.db)
    expect(await sweepSuspense(worker.db)).toBe(1)
    await worker.close()
    expect((await readBalances(pool.db, await memberId(member))).BTC.available).toBe(before.available + 3n)
  })
})

describe('money from the address of the first member', () => {
  it('that came before the owner created that member is credited by the sweep', async () => {
    const other = await startTestPool({ slotsInAnEpoch: 1, wallets: 1 })
    try {
      const [first] = other.wallets as [PrivateKeyAccount]
      await other.startWorker()
      await other.transfer(first, 'USDT', 21n)
      await other.finalize()
      expect(await readSuspense(other.db, first.address)).toMatchObject([{ amount: 21n }])
      await createFirstMember(other.db, first.address)
      const worker = connectDatabase(other.database.urlOf('lode_worker'), { name: 'sweeper' })
      await sweepSuspense(worker.db)
      await worker.close()
      expect(await readBalances(other.db, 1n)).toMatchObject({ USDT: { available: 21n } })
    } finally {
      await other.close()
    }
  })
})

describe('the pool’s own addresses', () => {
  it.each(['coldStorage', 'funder'] as const)('cannot register: %s', async (key) => {
    const wallet = asWallet(pool.accountOf(key))
    const answer = await api.call('sign/regist', { ...(await requestAndSign(api, wallet, invite)), invite, lang: 'en' })
    expect([answer.status, answer.body.reason]).toEqual([422, 'account-reserved'])
  })
})
