import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { logIn, registerMember, signedMessage } from '../../testing/member.ts'
import { plainWallet } from '../../testing/wallet.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ LOG_LEVEL: 'trace' })
})
afterAll(() => api.close())

describe('the log', () => {
  it('holds no token, signature, message, nonce or set-up code, even where a call fails', async () => {
    const wallet = plainWallet()
    const posted = await signedMessage(api, wallet, api.rootCode)
    const terms = { ...posted, invite: api.rootCode, lang: 'en' } as const
    const registered = await api.call('sign/regist', terms)
    const { token, setupCode } = registered.body.data
    await api.call('account/profile', { account: wallet.account }, { token })
    await api.call('sign/regist', terms)
    await api.call('sign/login', { ...posted, lang: 'en' })
    const login = await logIn(api, wallet)

    // And a failure of ours, whose error says what it was about.
    const late = await signedMessage(api, wallet)
    await api.db.schema.alterTable('lode.session').renameTo('gone').execute()
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

describe('a member’s secrets', () => {
  it('are nowhere in the database', async () => {
    const other = await startTestApi()
    try {
      const { token, setupCode } = await registerMember(other)
      const rows = JSON.stringify(
        await Promise.all(
          (['lode.member', 'lode.session', 'lode.setup_code', 'lode.consumed_nonce'] as const).map((table) =>
            other.db.selectFrom(table).selectAll().execute(),
          ),
        ),
        (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
      )
      expect(rows).not.toContain(token)
      expect(rows).not.toContain(setupCode)
      expect(rows).not.toContain(JSON.stringify([...Buffer.from(token, 'base64url')]).slice(1, -1))
    } finally {
      await other.close()
    }
  })
})
