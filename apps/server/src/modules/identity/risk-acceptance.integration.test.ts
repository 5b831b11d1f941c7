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

async function readRisk({ wallet, token }: Pick<TestMember, 'wallet' | 'token'>) {
  const { body } = await api.call('account/profile', { account: wallet.account }, { token })
  return body.data.risk
}

describe('the explanation of risks', () => {
  it('is not accepted at first; an acceptance is stored with its version and time', async () => {
    const member = await registerMember(api)
    expect(await readRisk(member)).toEqual({ version: RISK_VERSION, acceptedAt: null })
    const { body } = await accept(member)
    expect(body.data).toEqual({ version: RISK_VERSION, acceptedAt: expect.stringMatching(/Z$/) })
    expect(await readRisk(member)).toEqual(body.data)
  })

  it('is accepted once: a second acceptance or a new sign-in keeps the first time', async () => {
    const member = await registerMember(api)
    const first = (await accept(member)).body.data
    await api.clock.advance(60)
    expect((await accept(member)).body.data).toEqual(first)
    const { token } = (await logIn(api, member.wallet)).body.data
    expect(await readRisk({ ...member, token })).toEqual(first)
  })

  it('is accepted by each member separately', async () => {
    const [one, other] = [await registerMember(api), await registerMember(api)]
    await accept(one)
    expect((await readRisk(other)).acceptedAt).toBeNull()
  })

  it('can be accepted only in its current version', async () => {
    const member = await registerMember(api)
    const { status, body } = await accept(member, RISK_VERSION + 1)
    expect([status, body.reason]).toEqual([409, 'risk-changed'])
    expect((await readRisk(member)).acceptedAt).toBeNull()
  })

  it('must be accepted again after a new version', async () => {
    const member = await registerMember(api)
    await sql`insert into lode.risk_acceptance (member_id, version)
      select max(id), ${RISK_VERSION + 1} from lode.member`.execute(api.db)
    expect((await readRisk(member)).acceptedAt).toBeNull()
  })

  it('cannot be accepted in an exit session', async () => {
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
