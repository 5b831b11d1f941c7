import { units } from '@lode/kernel'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post } from '../../modules/ledger/index.ts'
import { startTestApi, type TestApi, testPool } from '../../testing/api.ts'
import { logIn, registerMember, registerWithFundPassword, requestAndSign, signChallenge } from '../../testing/member.ts'
import { publishFirstPlan } from '../../testing/plan.ts'
import { createTestWallet } from '../../testing/wallet.ts'
import { connectDatabase } from '../db/database.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ LOG_LEVEL: 'trace' })
})
afterAll(() => api.close())

describe('the log', () => {
  it('contains no token, signature, message, nonce or set-up code, even if a call fails', async () => {
    const wallet = createTestWallet()
    const posted = await requestAndSign(api, wallet, api.rootCode)
    const terms = { ...posted, invite: api.rootCode, lang: 'en' } as const
    const registered = await api.call('sign/regist', terms)
    const { token, setupCode } = registered.body.data
    await api.call('account/profile', { account: wallet.account }, { token })
    await api.call('sign/regist', terms)
    await api.call('sign/login', { ...posted, lang: 'en' })
    const login = await logIn(api, wallet)

    // Also an internal failure, whose error contains details.
    const late = await requestAndSign(api, wallet)
    await sql`alter table lode.session rename to gone`.execute(api.db)
    expect((await api.call('account/profile', { account: wallet.account }, { token })).status).toBe(500)
    expect((await api.call('sign/login', { ...late, lang: 'en' })).status).toBe(500)

    const nonce = /Nonce: (\w+)/.exec(late.message)?.[1] ?? ''
    const log = api.logs()
    expect(log).toContain('a call failed')
    for (const secret of [token, login.body.data.token, setupCode, posted.signature, late.signature, nonce])
      expect(log).not.toContain(secret)
    expect(log).not.toContain('wants you to sign in')
  })
})

describe('a fund password', () => {
  it('is in no log, metric, answer or table after any use of it', async () => {
    const other = await startTestApi({ LOG_LEVEL: 'trace' })
    try {
      const [first, second, third, wrong] = ['FirstSecret1', 'SecondSecret2', 'ThirdSecret3', 'WrongSecret4']
      const tooLong = 'FarTooLongToBeASecret5'
      const device = 'SecretDeviceIdOf22Char'
      const { wallet, token, setupCode } = await registerWithFundPassword(other, first, device)
      const { account } = wallet
      const answers: unknown[] = []
      const call = async (...[name, input]: Parameters<typeof other.call>) => {
        const { body } = await other.call(name, input, { token })
        answers.push(body)
        return body
      }
      await call('account/fund-password', { account, password: first, newPassword: second })
      await call('account/fund-password', { account, password: wrong, newPassword: second })
      await call('account/fund-password', { account, password: tooLong, newPassword: tooLong })
      await call('account/fund-password', { account, setupCode, newPassword: second })
      const address = createTestWallet().account
      const signedAddress = await signChallenge(other, { wallet, token }, 'output-address', address)
      await call('account/output-address', { account, address, password: second, ...signedAddress })
      await call('account/transfer-lock', { account, days: 1, password: second })
      const signed = await signChallenge(other, { wallet, token }, 'fund-password-reset')
      await call('account/fund-password/reset', { account, ...signed, newPassword: third })
      await call('account/security-log', { account })
      const tables = await dumpTables(other)
      expect(tables).toContain('$argon2id$')

      // Also an internal failure in the middle of the call.
      await sql`alter table lode.protection rename to gone`.execute(other.db)
      const failed = await call('account/fund-password/reset/cancel', { account, password: second })
      expect(failed.code).toBe(500)
      expect(other.logs()).toContain('a call failed')

      const metrics = await (await other.fetch('/metrics')).text()
      expect(metrics).toContain('lode_argon2_runs_total')
      const everything = [other.logs(), metrics, JSON.stringify(answers), tables].join()
      for (const secret of [first, second, third, wrong, tooLong, setupCode, device])
        expect(everything).not.toContain(secret)
      expect([other.logs(), metrics, JSON.stringify(answers)].join()).not.toContain('$argon2id$')
    } finally {
      await other.close()
    }
  })
})

describe('the fund password of an order', () => {
  it('is in no log, metric, answer, error or stored command, whether right or wrong', async () => {
    const other = await startTestApi({ LOG_LEVEL: 'trace' })
    try {
      await publishFirstPlan(other.db, testPool())
      const [right, wrong] = ['RightSecret1', 'WrongSecret2']
      const { wallet, token } = await registerWithFundPassword(other, right)
      const { account } = wallet
      const { rows } = await sql<{ id: bigint }>`select max(id) as id from lode.member`.execute(other.db)
      await sql`update lode.member set level = 5 where id = ${rows[0]?.id}`.execute(other.db)
      await creditWithoutChain(other, rows[0]?.id ?? 0n)
      const answers: unknown[] = []
      const order = async (key: string, password: string) => {
        const terms = { key, planVersion: 1, address: account, symbol: 'USDT', amount: '10' } as const
        const { body } = await other.call('transfer/order', { account, ...terms, password }, { token })
        answers.push(body)
        return body
      }
      expect((await order('key-of-the-right-one', right)).code).toBe(200)
      expect((await order('key-of-the-wrong-one', wrong)).reason).toBe('fund-password-wrong')
      expect((await order('key-of-the-right-one', wrong)).code).toBe(200)
      expect((await order('too short', right)).code).toBe(400)
      const tables = await dumpTables(other)
      expect(tables).toContain('fund-password-wrong')

      // Also internal failures, before and after the password is checked.
      for (const table of ['payout', 'protection']) {
        await sql`alter table lode.${sql.raw(table)} rename to ${sql.raw(`${table}_gone`)}`.execute(other.db)
        expect((await order(`key-of-a-failure-${table}`, right)).code).toBe(500)
      }
      const metrics = await (await other.fetch('/metrics')).text()
      expect(metrics).toContain('lode_argon2_runs_total')
      const everything = [other.logs(), metrics, JSON.stringify(answers), tables, await dumpTables(other)].join()
      expect(everything).toContain('a call failed')
      for (const secret of [right, wrong, token]) expect(everything).not.toContain(secret)
    } finally {
      await other.close()
    }
  })
})

/** Posts a deposit without a chain, with the worker's role. */
async function creditWithoutChain({ database }: TestApi, member: bigint): Promise<void> {
  const worker = connectDatabase(database.urlOf('lode_worker'), { name: 'test' })
  const line = { type: 'transferIn', operation: 'from-nowhere' } as const
  await post(worker.db, [
    {
      type: 'deposit',
      key: `chain:31337:0x${'00'.repeat(32)}:0`,
      moves: [
        {
          asset: 'USDT',
          amount: units('USDT', 100_000_000n),
          from: 'custody:vault',
          to: { kind: 'available', member, line },
        },
      ],
    },
  ])
  await worker.close()
}

/** Every row of every table, as in a dump of the database; bytes as hexadecimal and as text. */
async function dumpTables({ db }: TestApi): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(db)
  const tables = await Promise.all(
    rows.map(async ({ name }) => {
      const dump = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} as t`.execute(db)
      return dump.rows.map(({ row }) => row).join('\n')
    }),
  )
  const text = tables.join('\n')
  const bytes = Array.from(text.matchAll(/\\x([0-9a-f]+)/g), ([, hex = '']) =>
    Buffer.from(hex, 'hex').toString('latin1'),
  )
  return [text, ...bytes].join('\n')
}

describe('a member’s secrets', () => {
  it('are nowhere in the database', async () => {
    const other = await startTestApi()
    try {
      const { token, setupCode } = await registerMember(other)
      const tables = await dumpTables(other)
      expect(tables).not.toContain(token)
      expect(tables).not.toContain(setupCode)
      expect(tables).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
    } finally {
      await other.close()
    }
  })
})
