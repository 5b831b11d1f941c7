import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { logIn, registerMember, requestAndSign, type TestMember } from '../../testing/member.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0'
const PHONE =
  'Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'

type SignedInMember = Pick<TestMember, 'wallet' | 'token'>

async function signInFrom(userAgent: string, wallet: TestMember['wallet']): Promise<SignedInMember> {
  const posted = { ...(await requestAndSign(api, wallet)), lang: 'en' } as const
  const { body } = await api.call('sign/login', posted, { headers: { 'user-agent': userAgent } })
  return { wallet, token: body.data.token }
}

const list = async ({ wallet, token }: SignedInMember) =>
  (await api.call('account/sessions', { account: wallet.account }, { token })).body.data.items

const revoke = ({ wallet, token }: SignedInMember, session: string) =>
  api.call('account/sessions/revoke', { account: wallet.account, session }, { token })

const isAlive = async ({ wallet, token }: SignedInMember) =>
  (await api.call('account/profile', { account: wallet.account }, { token })).status === 200

describe('a member’s sessions', () => {
  it('are listed with their browsers, newest first, with the current one marked', async () => {
    const member = await registerMember(api)
    const desktop = await signInFrom(FIREFOX, member.wallet)
    await signInFrom(PHONE, member.wallet)
    const sessions = await list(desktop)
    expect(sessions.map(({ device, current }) => [device, current])).toEqual([
      [{ browser: 'Chrome', system: 'Android' }, false],
      [{ browser: 'Firefox', system: 'Linux' }, true],
      [{ browser: null, system: null }, false],
    ])
  })

  it('are listed until they expire', async () => {
    const member = await registerMember(api)
    await api.clock.advance(31 * 60)
    const again = await signInFrom(FIREFOX, member.wallet)
    expect(await list(again)).toHaveLength(1)
  })

  it('can be ended one by one', async () => {
    const member = await registerMember(api)
    const [desktop, phone] = [await signInFrom(FIREFOX, member.wallet), await signInFrom(PHONE, member.wallet)]
    const id = (await list(phone)).find(({ device }) => device.browser === 'Firefox')?.id ?? ''
    expect((await revoke(phone, id)).body.data.revoked).toBe(1)
    expect([await isAlive(member), await isAlive(desktop), await isAlive(phone)]).toEqual([true, false, true])
    expect((await revoke(phone, id)).body.reason).toBe('session-unknown')
  })

  it('can be ended all but the current one', async () => {
    const member = await registerMember(api)
    const [desktop, phone] = [await signInFrom(FIREFOX, member.wallet), await signInFrom(PHONE, member.wallet)]
    expect((await revoke(phone, 'others')).body.data.revoked).toBe(2)
    expect([await isAlive(member), await isAlive(desktop), await isAlive(phone)]).toEqual([false, false, true])
    expect((await revoke(phone, 'others')).body.data.revoked).toBe(0)
  })

  it('leave a security log line with the browser that ended them', async () => {
    const member = await registerMember(api)
    const phone = await signInFrom(PHONE, member.wallet)
    await revoke(phone, 'others')
    const { account } = phone.wallet
    const { items } = (await api.call('account/security-log', { account }, phone)).body.data
    expect(items).toMatchObject([{ kind: 'sessions-revoked', device: { browser: 'Chrome', system: 'Android' } }])
  })

  it('of another member cannot be seen or ended', async () => {
    const [member, other] = [await registerMember(api), await registerMember(api)]
    const [session] = await list(other)
    expect((await revoke(member, session?.id ?? '')).body.reason).toBe('session-unknown')
    expect(await isAlive(other)).toBe(true)
    expect((await list(member)).map(({ id }) => id)).not.toContain(session?.id)
  })

  it('have an id that cannot be used as a token', async () => {
    const member = await registerMember(api)
    const [session] = await list(member)
    expect((await logIn(api, member.wallet)).status).toBe(200)
    expect(await isAlive({ wallet: member.wallet, token: session?.id ?? '' })).toBe(false)
    expect((await revoke(member, 'everything')).status).toBe(400)
  })
})
