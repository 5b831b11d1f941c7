import { routes } from '@lode/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { disableMember, enableMember } from '../../testing/disabled-member.ts'
import { logIn, registerMember, requestAndSign } from '../../testing/member.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

describe('a disabled account', () => {
  it('loses its sessions immediately', async () => {
    const member = await registerMember(api)
    const { account } = member.wallet
    await disableMember(api.db, account)
    const { status, body } = await api.call('account/profile', { account }, member)
    expect([status, body.reason]).toEqual([401, 'session-expired'])
  })

  it.each([
    ['en', 'Invalid account or disabled account'],
    ['zh-TW', '帳戶無效或已停用'],
    ['zh-CN', '账户无效或已停用'],
  ])('is refused at sign-in in the caller’s language, %s', async (language, words) => {
    const { wallet } = await registerMember(api)
    await disableMember(api.db, wallet.account)
    const posted = await requestAndSign(api, wallet)
    const headers = { 'accept-language': language }
    const { status, body } = await api.call('sign/login', { ...posted, lang: 'en' }, { headers })
    expect([status, body.code, body.reason, body.message]).toEqual([403, 403, 'account-disabled', words])
  })

  it('may use the refused signature for its way out: an exit session that permits nothing else', async () => {
    const { wallet } = await registerMember(api)
    const { account } = wallet
    await disableMember(api.db, account)
    const posted = await requestAndSign(api, wallet)
    expect((await api.call('sign/login', { ...posted, lang: 'en' })).status).toBe(403)
    const exit = await api.call('sign/login', { ...posted, lang: 'en', exit: true })
    const { token } = exit.body.data
    const profile = await api.call('account/profile', { account }, { token })
    expect(profile.body.data.mode).toBe('exit')

    for (const [name, route] of Object.entries(routes)) {
      if (route.access !== 'member') continue
      const response = await api.fetch(`/api/${name}`, {
        method: route.method,
        headers: { authorization: `Bearer ${token}` },
      })
      expect([name, await response.json()]).toEqual([name, expect.objectContaining({ code: 403, reason: 'exit-only' })])
    }
    expect((await api.call('account/logout', { account }, { token })).status).toBe(200)
    expect((await api.call('account/profile', { account }, { token })).status).toBe(401)
  })

  it('can sign in again once it is enabled; its exit session stays an exit session', async () => {
    const { wallet } = await registerMember(api)
    const { account } = wallet
    await disableMember(api.db, account)
    const exit = (await logIn(api, wallet, { exit: true })).body.data
    await enableMember(api.db, account)
    expect((await logIn(api, wallet)).status).toBe(200)
    expect((await api.call('account/profile', { account }, exit)).body.data.mode).toBe('exit')
    expect((await api.call('account/lang', { account, lang: 'en' }, exit)).body.reason).toBe('exit-only')
  })

  it('keeps an exit session that was open before', async () => {
    const { wallet } = await registerMember(api)
    const exit = (await logIn(api, wallet, { exit: true })).body.data
    await disableMember(api.db, wallet.account)
    expect((await api.call('account/profile', { account: wallet.account }, exit)).status).toBe(200)
  })

  it('has no full session when it is disabled and logs in at the same time', async () => {
    for (let round = 0; round < 15; round += 1) {
      const { wallet } = await registerMember(api)
      const posts = await Promise.all(Array.from({ length: 4 }, () => requestAndSign(api, wallet)))
      const [, ...logins] = await Promise.all([
        disableMember(api.db, wallet.account),
        ...posts.map((posted) => api.call('sign/login', { ...posted, lang: 'en' })),
      ])
      for (const login of logins) expect([200, 403]).toContain(login.status)
      const left = await sql`
        select session.id from lode.session join lode.member on member.id = session.member_id
        where member.account = ${bytesOf(wallet.account)}`.execute(api.db)
      expect(left.rows).toEqual([])
    }
  })
})
