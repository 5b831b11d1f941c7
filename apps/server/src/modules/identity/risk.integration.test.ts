import { RISK_VERSION } from '@lode/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { logIn, registerMember, type TestMember } from '../../testing/member.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const accept = ({ wallet, token }: TestMember, version = RISK_VERSION) =>
  api.call('account/accept-risk', { account: wallet.account, version }, { token })

async function riskOf({ wallet, token }: Pick<TestMember, 'wallet' | 'token'>) {
  const { body } = await api.call('account/profile', { account: wallet.account }, { token })
  return body.data.risk
}

describe('the explanation of risks', () => {
  it('waits for a newcomer, and is kept with its version and time when it is accepted', async () => {
    const member = await registerMember(api)
    expect(await riskOf(member)).toEqual({ version: RISK_VERSION, acceptedAt: null })
    const { body } = await accept(member)
    expect(body.data).toEqual({ version: RISK_VERSION, acceptedAt: expect.stringMatching(/Z$/) })
    expect(await riskOf(member)).toEqual(body.data)
  })

  it('is accepted once: saying so again, or signing in anew, keeps the first time', async () => {
    const member = await registerMember(api)
    const first = (await accept(member)).body.data
    await api.clock.advance(60)
    expect((await accept(member)).body.data).toEqual(first)
    const { token } = (await logIn(api, member.wallet)).body.data
    expect(await riskOf({ ...member, token })).toEqual(first)
  })

  it('is accepted by each member alone', async () => {
    const [one, other] = [await registerMember(api), await registerMember(api)]
    await accept(one)
    expect((await riskOf(other)).acceptedAt).toBeNull()
  })

  it('cannot be accepted in another version than the one of now', async () => {
    const member = await registerMember(api)
    const { status, body } = await accept(member, RISK_VERSION + 1)
    expect([status, body.reason]).toEqual([409, 'risk-changed'])
    expect((await riskOf(member)).acceptedAt).toBeNull()
  })

  it('waits also for who accepted it in another version', async () => {
    const member = await registerMember(api)
    await sql`insert into lode.risk_acceptance (member_id, version)
      select max(id), ${RISK_VERSION + 1} from lode.member`.execute(api.db)
    expect((await riskOf(member)).acceptedAt).toBeNull()
  })

  it('is not asked of whoever only takes assets out, and cannot be accepted by that token', async () => {
    const { wallet } = await registerMember(api)
    const { token } = (await logIn(api, wallet, { exit: true })).body.data
    const { status, body } = await api.call(
      'account/accept-risk',
      { account: wallet.account, version: RISK_VERSION },
      { token },
    )
    expect([status, body.reason]).toEqual([403, 'exit-only'])
  })
})
