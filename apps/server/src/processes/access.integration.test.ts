import { randomUUID } from 'node:crypto'
import { type RequestOf, RISK_VERSION, type RouteName, routes } from '@lode/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi, testPool } from '../testing/api.ts'
import { disableMember } from '../testing/disabled-member.ts'
import { logIn, PASSWORD, registerWithFundPassword, type TestMember } from '../testing/member.ts'
import { publishFirstPlan } from '../testing/plan.ts'
import { createTestWallet } from '../testing/wallet.ts'

let api: TestApi
let member: TestMember
let other: TestMember
beforeAll(async () => {
  api = await startTestApi()
  await publishFirstPlan(api.db, testPool())
  member = await registerWithFundPassword(api, PASSWORD)
  other = await registerWithFundPassword(api, PASSWORD)
})
afterAll(() => api.close())

type MembersRoute = { [Name in RouteName]: (typeof routes)[Name]['access'] extends 'open' ? never : Name }[RouteName]

const signed = { message: 'a message', signature: '0x00' }
const otherAddress = createTestWallet().account

/** Input with a valid form, so that only the caller's rights decide. A route that is missing here does not compile. */
const inputs: { readonly [Name in MembersRoute]: () => Omit<RequestOf<Name>, 'account'> } = {
  'account/profile': () => ({}),
  'account/home': () => ({}),
  'account/income': () => ({ period: 'month' }),
  'account/collect': () => ({ key: randomUUID() }),
  'account/lang': () => ({ lang: 'en' }),
  'account/logout': () => ({}),
  'account/sessions': () => ({}),
  'account/sessions/revoke': () => ({ session: 'others' }),
  'account/challenge': () => ({ purpose: 'fund-password-reset' }),
  'account/fund-password': () => ({ password: PASSWORD, newPassword: PASSWORD }),
  'account/fund-password/reset': () => ({ ...signed, newPassword: PASSWORD }),
  'account/fund-password/reset/cancel': () => ({ password: PASSWORD }),
  'account/fund-password/setup-code': () => signed,
  'account/output-address': () => ({ address: otherAddress, password: PASSWORD }),
  'account/output-address/cancel': () => ({}),
  'account/transfer-lock': () => ({ days: 1, password: PASSWORD }),
  'account/security-log': () => ({}),
  'wallet/assets': () => ({}),
  'wallet/log': () => ({ symbol: 'USDT' }),
  'wallet/period': () => ({ from: '2026-11-01', to: '2026-11-30' }),
  'wallet/report-sent': () => ({ symbol: 'USDT', amount: '1', tx: `0x${'00'.repeat(32)}` }),
  'wallet/sent': () => ({ symbol: 'USDT' }),
  'wallet/statement': () => ({}),
  'transfer/terms': () => ({}),
  'transfer/order': () => ({
    key: randomUUID(),
    planVersion: 1,
    address: otherAddress,
    symbol: 'USDT',
    amount: '10',
    password: PASSWORD,
  }),
  'transfer/cancel': () => ({ key: randomUUID(), id: randomUUID() }),
  'order/list': () => ({ type: '2' }),
  'order/detail': () => ({ id: randomUUID() }),
  'order/payments': () => ({}),
  'order/submitted': () => ({ id: randomUUID(), tx: `0x${'00'.repeat(32)}` }),
  'order/cancel': () => ({ key: randomUUID(), id: randomUUID() }),
  'team/overview': () => ({}),
  'team/net': () => ({}),
  'team/invitations': () => ({}),
  'promotion/overview': () => ({}),
  'promotion/order': () => ({
    key: randomUUID(),
    planVersion: 1,
    level: 1,
    balancePart: '10',
    password: PASSWORD,
  }),
  'promotion/rewards': () => ({}),
  'promotion/claim': () => ({ key: randomUUID() }),
  'pledge/overview': () => ({}),
  'pledge/order': () => ({
    key: randomUUID(),
    planVersion: 1,
    quantity: '10001',
    termDays: 30,
    balancePart: '10',
    password: PASSWORD,
  }),
  'pledge/records': () => ({}),
  'pledge/days': () => ({}),
  'pledge/collect': () => ({ key: randomUUID() }),
  'partner/collect': () => ({ key: randomUUID() }),
  'partner/status': () => ({}),
  'partner/apply': () => ({ key: randomUUID() }),
  'account/accept-risk': () => ({ version: RISK_VERSION }),
  'notice/list': () => ({}),
  'notice/read': () => ({ id: 'A'.repeat(22) }),
  'help/list': () => ({ lang: 'en' }),
  'share/card': () => ({}),
}

const EXIT_ROUTES = new Set<RouteName>([
  ...(['wallet/assets', 'wallet/log', 'wallet/sent', 'wallet/statement', 'wallet/period'] as const),
  ...(['transfer/terms', 'transfer/order', 'transfer/cancel'] as const),
  ...(['order/payments', 'order/cancel', 'promotion/overview', 'promotion/rewards', 'promotion/claim'] as const),
  ...(['order/list', 'order/detail', 'account/profile', 'account/challenge', 'account/logout'] as const),
  ...(['account/fund-password', 'account/fund-password/reset', 'account/fund-password/reset/cancel'] as const),
  ...(['pledge/overview', 'pledge/records', 'pledge/days', 'pledge/collect', 'partner/collect'] as const),
  ...(['account/fund-password/setup-code', 'account/output-address/cancel', 'partner/status', 'notice/list'] as const),
  ...(['account/home', 'account/income', 'account/collect', 'help/list'] as const),
])

async function call(name: MembersRoute, { wallet }: Pick<TestMember, 'wallet'>, token?: string) {
  const input = { account: wallet.account, ...inputs[name]() }
  const { status, body } = await api.call(name, input as never, token === undefined ? {} : { token })
  return [status, body.reason]
}

/** Everything that a call could have changed, except the session's last action. */
async function dumpTables(): Promise<string> {
  const tables = [
    'member',
    'protection',
    'output_address',
    'security_line',
    'setup_code',
    'payout',
    'quota_use',
    'pay_order',
    'pledge',
    'pledge_change',
    'reward',
    'partner_application',
    'command',
    'notice_read',
    'risk_acceptance',
    'reported_deposit',
  ]
  const dumps = await Promise.all(
    [...tables, 'posting', 'ledger_account'].map(async (table) => {
      const { rows } = await sql`select t::text from ${sql.table(`lode.${table}`)} as t order by 1`.execute(api.db)
      return rows
    }),
  )
  return JSON.stringify(dumps)
}

const names = Object.keys(inputs) as MembersRoute[]

it('every route is open to everybody, or covered by this test', () => {
  const open = (Object.keys(routes) as RouteName[]).filter((name) => routes[name].access === 'open')
  expect([...open, ...names].toSorted()).toEqual(Object.keys(routes).toSorted())
  expect(open.every((name) => /^(sign|pool|plan|client)\//.test(name))).toBe(true)
})

describe.each(names)('%s', (name) => {
  it('does nothing without a token, or with an invented, another member’s or a revoked token', async () => {
    const ended = (await logIn(api, member.wallet)).body.data.token
    await api.call('account/logout', { account: member.wallet.account }, { token: ended })
    const before = await dumpTables()
    expect(await call(name, member)).toEqual([401, 'session-expired'])
    expect(await call(name, member, 'x'.repeat(43))).toEqual([401, 'session-expired'])
    expect(await call(name, member, other.token)).toEqual([403, 'account-mismatch'])
    expect(await call(name, member, ended)).toEqual([401, 'session-expired'])
    expect(await dumpTables()).toBe(before)
  })

  it('is refused to the old session of a disabled account, and open to its exit session only if it is an exit route', async () => {
    const leaving = await registerWithFundPassword(api, PASSWORD)
    await disableMember(api.db, leaving.wallet.account)
    expect(await call(name, leaving, leaving.token)).toEqual([401, 'session-expired'])
    const { token } = (await logIn(api, leaving.wallet, { exit: true })).body.data
    const before = await dumpTables()
    const [status, reason] = await call(name, leaving, token)
    // An exit route does its work, or refuses for a reason of its own.
    if (EXIT_ROUTES.has(name)) return expect([200, 404, 409, 422]).toContain(status)
    expect([status, reason]).toEqual([403, 'exit-only'])
    expect(await dumpTables()).toBe(before)
  })
})
