import { type RouteName, routes } from '@lode/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { disableMember } from '../../testing/disabled-member.ts'
import {
  logIn,
  PASSWORD,
  registerMember,
  registerWithFundPassword,
  requestOutputAddress,
  signChallenge,
  type TestMember,
} from '../../testing/member.ts'
import { createTestWallet } from '../../testing/wallet.ts'

let api: TestApi
let member: TestMember
let other: TestMember
beforeAll(async () => {
  api = await startTestApi()
  member = await registerWithFundPassword(api, PASSWORD)
  other = await registerMember(api)
})
afterAll(() => api.close())

const OTHER_ACCOUNT_ROUTES = [
  ...['account/profile', 'account/home', 'account/income', 'account/collect'],
  ...['account/lang', 'account/logout', 'account/accept-risk'],
]
const PROTECTION_ROUTES = (Object.keys(routes) as RouteName[]).filter(
  (name) => name.startsWith('account/') && !OTHER_ACCOUNT_ROUTES.includes(name),
)

/** Input with a valid form, so that only the caller's rights decide. */
async function validInput(name: RouteName, { wallet }: Pick<TestMember, 'wallet'>): Promise<Record<string, unknown>> {
  const account = wallet.account
  const signed = { message: 'a message', signature: '0x00' }
  const inputs: Partial<Record<RouteName, Record<string, unknown>>> = {
    'account/challenge': { purpose: 'fund-password-reset' },
    'account/fund-password': { password: PASSWORD, newPassword: PASSWORD },
    'account/fund-password/reset': { ...signed, newPassword: PASSWORD },
    'account/fund-password/reset/cancel': { password: PASSWORD },
    'account/fund-password/setup-code': signed,
    'account/output-address': { address: createTestWallet().account, password: PASSWORD },
    'account/transfer-lock': { days: 1, password: PASSWORD },
    'account/sessions/revoke': { session: 'others' },
  }
  return { account, ...inputs[name] }
}

async function call(name: RouteName, input: Record<string, unknown>, token?: string) {
  const { status, body } = await api.call(name, input as never, token === undefined ? {} : { token })
  return [status, body.reason]
}

const readAllRows = async () =>
  JSON.stringify(
    await Promise.all(
      ['lode.protection', 'lode.output_address', 'lode.security_line', 'lode.setup_code'].map(
        async (table) => (await sql`select * from ${sql.table(table)}`.execute(api.db)).rows,
      ),
    ),
    (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  )

describe.each(PROTECTION_ROUTES)('%s', (name) => {
  it('is refused without a session, and for another member’s account', async () => {
    const before = await readAllRows()
    const input = await validInput(name, member)
    expect(await call(name, input)).toEqual([401, 'session-expired'])
    expect(await call(name, input, 'x'.repeat(43))).toEqual([401, 'session-expired'])
    expect(await call(name, input, other.token)).toEqual([403, 'account-mismatch'])
    expect(await readAllRows()).toBe(before)
  })

  it('is refused once the session has ended', async () => {
    const { body } = await logIn(api, member.wallet)
    const { account } = member.wallet
    await api.call('account/logout', { account }, body.data)
    expect(await call(name, await validInput(name, member), body.data.token)).toEqual([401, 'session-expired'])
  })

  it('is open to an exit session only if taking assets out needs it', async () => {
    const leaving = await registerMember(api)
    await disableMember(api.db, leaving.wallet.account)
    const { body } = await logIn(api, leaving.wallet, { exit: true })
    const open = /^account\/(challenge|fund-password.*|output-address\/cancel)$/.test(name)
    const [status, reason] = await call(name, await validInput(name, leaving), body.data.token)
    if (open) expect(reason).not.toBe('exit-only')
    else expect([status, reason]).toEqual([403, 'exit-only'])
  })
})

describe('a stolen token', () => {
  it('cannot change a protection', async () => {
    const victim = await registerWithFundPassword(api, PASSWORD)
    const { account } = victim.wallet
    const thief = createTestWallet()
    const { message } = await signChallenge(api, victim, 'fund-password-reset')
    const forged = { message, signature: await thief.sign(message) }
    const before = await api.call('account/profile', { account }, victim)
    const tries = [
      await call('account/fund-password', { account, password: 'guess1', newPassword: 'thief1' }, victim.token),
      await call(
        'account/fund-password',
        { account, setupCode: victim.setupCode, newPassword: 'thief1' },
        victim.token,
      ),
      await call('account/fund-password/reset', { account, ...forged, newPassword: 'thief1' }, victim.token),
      await call('account/fund-password/setup-code', { account, ...forged }, victim.token),
      await call('account/output-address', { account, address: thief.account, password: 'guess1' }, victim.token),
      await call('account/output-address', { account, address: account, password: 'guess1' }, victim.token),
      await call('account/transfer-lock', { account, days: 30, password: 'guess1' }, victim.token),
    ]
    expect(tries.map(([, reason]) => reason)).toEqual([
      'fund-password-wrong',
      'fund-password-chosen',
      'signature-invalid',
      'message-invalid',
      'message-invalid',
      'fund-password-wrong',
      'fund-password-wrong',
    ])
    const after = await api.call('account/profile', { account }, victim)
    const { at: _before, ...protectedBefore } = before.body.data.protection
    const { at: _after, ...protectedAfter } = after.body.data.protection
    expect(protectedAfter).toEqual(protectedBefore)
  })
})

describe('the security log', () => {
  it('is read page by page, newest first, with ids that do not tell how many lines the pool has', async () => {
    const { wallet, token } = await registerWithFundPassword(api, PASSWORD)
    const { account } = wallet
    for (let round = 0; round < 3; round += 1) {
      await requestOutputAddress(api, { wallet, token }, { address: createTestWallet().account, password: PASSWORD })
      await api.call('account/output-address/cancel', { account }, { token })
    }
    const kinds: string[] = []
    const ids = new Set<string>()
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof readPage>> = await readPage(cursor)
      expect(page.items.length).toBeLessThanOrEqual(3)
      for (const { id, kind } of page.items) {
        expect(id).toMatch(/^[\w-]{22}$/)
        ids.add(id)
        kinds.push(kind)
      }
      cursor = page.next
    } while (cursor !== null)
    expect(ids.size).toBe(kinds.length)
    expect(kinds).toEqual([
      ...Array.from({ length: 3 }, () => ['output-address-cancelled', 'output-address-asked']).flat(),
      'fund-password-chosen',
    ])

    async function readPage(after: string | null) {
      const input = { account, limit: '3', ...(after === null ? {} : { cursor: after }) }
      return (await api.call('account/security-log', input, { token })).body.data
    }
  })
})
