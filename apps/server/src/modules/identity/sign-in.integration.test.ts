import { createHash } from 'node:crypto'
import { RISK_VERSION } from '@lode/wire'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { logIn, registerMember, requestAndSign } from '../../testing/member.ts'
import { createTestWallet } from '../../testing/wallet.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

/** Makes an account look unregistered. Members are never deleted, so the member gets another address. */
async function makeUnregistered(account: Address): Promise<void> {
  const other = createTestWallet().account
  await sql`update lode.member set account = ${bytesOf(other)} where account = ${bytesOf(account)}`.execute(api.db)
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

describe('sign/check', () => {
  it('tells a newcomer without a code to register, without a message to sign', async () => {
    const { status, body } = await api.call('sign/check', { account: createTestWallet().account })
    expect([status, body]).toEqual([
      200,
      { code: 200, message: '', data: { action: 'register', message: null, inviterTail: null } },
    ])
  })

  it('gives a newcomer with a code the message to sign and the end of the inviter’s address', async () => {
    const { account } = createTestWallet()
    const { body } = await api.call('sign/check', { account, invite: api.rootCode })
    const tail = api.root.account.slice(-6)
    expect(body.data).toMatchObject({ action: 'register', inviterTail: tail })
    expect(body.data.message?.split('\n')).toEqual([
      '127.0.0.1:5173 wants you to sign in with your Ethereum account:',
      account,
      '',
      `Lode: register with invitation code ${api.rootCode} of the member whose address ends in ${tail}. The inviter cannot be changed later. Signing is free and moves no money.`,
      '',
      'URI: http://127.0.0.1:5173',
      'Version: 1',
      'Chain ID: 31337',
      expect.stringMatching(/^Nonce: [0-9a-f]{64}$/),
      expect.stringMatching(/^Issued At: /),
      expect.stringMatching(/^Expiration Time: /),
    ])
  })

  it('accepts an invitation code in lower case, with spaces and a hyphen', async () => {
    const typed = ` ${api.rootCode.slice(0, 4).toLowerCase()}-${api.rootCode.slice(4)}`
    const { body } = await api.call('sign/check', { account: createTestWallet().account, invite: typed })
    expect(body.data.inviterTail).toBe(api.root.account.slice(-6))
  })

  it('refuses a code that nobody has, and a code with a typing error', async () => {
    const { account } = createTestWallet()
    const unknown = await api.call('sign/check', { account, invite: '00000000' })
    expect([unknown.status, unknown.body.reason]).toEqual([422, 'invite-unknown'])
    const typo = await api.call('sign/check', { account, invite: '00000001' })
    expect([typo.status, typo.body.reason]).toEqual([400, 'invite-format'])
    expect(typo.body.fields).toEqual({ invite: 'Invalid invitation code format' })
  })

  it('tells a member to log in', async () => {
    const { body } = await api.call('sign/check', { account: api.root.account.toLowerCase() })
    expect(body.data.action).toBe('login')
    expect(body.data.message).toContain('\nLode: login. Signing is free and moves no money.\n')
    expect(body.data.message).toContain(api.root.account)
  })

  it('writes a message that is valid for five minutes', async () => {
    const { message } = await requestAndSign(api, api.root)
    const time = (name: string) => Date.parse(new RegExp(`${name}: (.*)`).exec(message)?.[1] ?? '')
    expect(time('Expiration Time') - time('Issued At')).toBe(300_000)
  })

  it.each([
    ['a wrong checksum', '0xf39FD6e51aad88F6F4ce6aB8827279cffFb92266'],
    ['too few digits', '0xf39fd6e51aad88f6f4ce6ab8827279cfffb9226'],
    ['the zero address', '0x0000000000000000000000000000000000000000'],
    ['a precompiled contract', '0x0000000000000000000000000000000000000004'],
    ['the burn address', '0x000000000000000000000000000000000000dead'],
  ])('refuses %s', async (_what, account) => {
    const { status, body } = await api.call('sign/check', { account })
    expect([status, body.reason]).toEqual([400, 'account-format'])
  })
})

describe('registering', () => {
  it('answers with a token that works and a set-up code, and stores only their hashes', async () => {
    const wallet = createTestWallet()
    const posted = await requestAndSign(api, wallet, api.rootCode)
    const { status, body } = await api.call('sign/regist', { ...posted, invite: api.rootCode, lang: 'zh_tw' })
    expect([status, body.code, body.message]).toEqual([200, 200, ''])
    expect(body.data).toEqual({
      account: wallet.account,
      lang: 'zh_tw',
      token: expect.stringMatching(/^[\w-]{43}$/),
      setupCode: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{16}$/),
    })

    const { token, setupCode } = body.data
    const profile = await api.call('account/profile', { account: wallet.account }, { token })
    expect(profile.body.data).toEqual({
      account: wallet.account,
      mode: 'full',
      disabled: null,
      level: 0,
      activated: false,
      expert: false,
      partner: false,
      inviterTail: api.root.account.slice(-6),
      inviteCode: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{8}$/),
      lang: 'zh_tw',
      lastLoginAt: null,
      registeredAt: expect.stringMatching(/Z$/),
      protection: expect.objectContaining({ fundPassword: { chosen: false, lockedUntil: null, reset: null } }),
      risk: { version: RISK_VERSION, acceptedAt: null },
    })

    const { rows: codes } = await sql`
      select code_hash from lode.setup_code
      where member_id = (select member_id from lode.session where token_hash = ${sha256(token)})`.execute(api.db)
    expect(codes).toEqual([{ code_hash: sha256(setupCode) }])
  })

  it('gives every member a code of its own, with which others register', async () => {
    const inviter = await registerMember(api)
    const { body } = await api.call('account/profile', { account: inviter.wallet.account }, inviter)
    const invited = await registerMember(api, createTestWallet(), body.data.inviteCode)
    const profile = await api.call('account/profile', { account: invited.wallet.account }, invited)
    expect(profile.body.data.inviterTail).toBe(inviter.wallet.account.slice(-6))
  })

  it('is refused if the account is registered already', async () => {
    const wallet = createTestWallet()
    const first = await requestAndSign(api, wallet, api.rootCode)
    const second = await requestAndSign(api, wallet, api.rootCode)
    const terms = { invite: api.rootCode, lang: 'en' } as const
    expect((await api.call('sign/regist', { ...first, ...terms })).status).toBe(200)
    const { status, body } = await api.call('sign/regist', { ...second, ...terms })
    expect([status, body.reason]).toEqual([409, 'account-registered'])
  })
})

describe('logging in', () => {
  it('is refused if the account is not registered', async () => {
    // The server writes login messages only for members, so the account must be registered at first.
    const { wallet } = await registerMember(api)
    const login = await requestAndSign(api, wallet)
    await makeUnregistered(wallet.account)
    const { status, body } = await api.call('sign/login', { ...login, lang: 'en' })
    expect([status, body.reason]).toEqual([422, 'account-unknown'])
  })

  it('stores the posted language as the member’s language', async () => {
    const member = await registerMember(api)
    const { account } = member.wallet
    const login = await logIn(api, member.wallet, { lang: 'zh_cn' })
    const { token } = login.body.data
    expect(login.body.data).toMatchObject({ account, lang: 'zh_cn' })
    expect((await api.call('account/profile', { account }, { token })).body.data.lang).toBe('zh_cn')
    await api.call('account/lang', { account, lang: 'zh_tw' }, { token })
    expect((await api.call('account/profile', { account }, { token })).body.data.lang).toBe('zh_tw')
  })

  it('shows the time of the previous sign-in', async () => {
    const member = await registerMember(api)
    const { account } = member.wallet
    const lastLogin = async (token: string) =>
      (await api.call('account/profile', { account }, { token })).body.data.lastLoginAt

    await api.clock.advance(60)
    const first = await logIn(api, member.wallet)
    await api.clock.advance(60)
    const second = await logIn(api, member.wallet)
    const { body } = await api.call('account/profile', { account }, { token: member.token })
    expect(await lastLogin(member.token)).toBeNull()
    const previous = await lastLogin(first.body.data.token)
    expect(previous).toBe(body.data.registeredAt)
    const gap = Date.parse((await lastLogin(second.body.data.token)) ?? '') - Date.parse(previous ?? '')
    expect(Math.round(gap / 1_000)).toBe(60)
  })
})

describe('a member’s call', () => {
  it('needs a token', async () => {
    const { account } = api.root
    for (const token of ['', 'nonsense', 'A'.repeat(43)]) {
      const { status, body } = await api.call('account/profile', { account }, { token })
      expect([status, body.reason]).toEqual([401, 'session-expired'])
    }
  })

  it('is refused for an account that does not belong to the token', async () => {
    const [one, other] = [await registerMember(api), await registerMember(api)]
    const { status, body } = await api.call('account/profile', { account: other.wallet.account }, one)
    expect([status, body.reason]).toEqual([403, 'account-mismatch'])
    const post = await api.call('account/lang', { account: other.wallet.account, lang: 'zh_tw' }, one)
    expect([post.status, post.body.reason]).toEqual([403, 'account-mismatch'])
  })

  it('is refused without an account, and with one whose checksum is wrong', async () => {
    const member = await registerMember(api)
    const without = await api.fetch('/api/account/profile', { headers: { authorization: `Bearer ${member.token}` } })
    expect(await without.json()).toMatchObject({ code: 400, reason: 'account-format' })
    const { account } = member.wallet
    const flipped = account.replace(/[a-f]/i, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )
    const { body } = await api.call('account/profile', { account: flipped }, member)
    expect(body.reason).toBe('account-format')
  })

  it('is refused after a logout; other sessions stay open', async () => {
    const member = await registerMember(api)
    const { account } = member.wallet
    const other = (await logIn(api, member.wallet)).body.data
    expect((await api.call('account/logout', { account }, member)).status).toBe(200)
    expect((await api.call('account/profile', { account }, member)).status).toBe(401)
    expect((await api.call('account/profile', { account }, other)).status).toBe(200)
  })
})
