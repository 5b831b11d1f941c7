import { sql } from 'kysely'
import { createSiweMessage, generateSiweNonce } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import { startTestApi, TEST_ORIGIN, type TestApi } from '../../testing/api.ts'
import { logIn, registerMember, requestAndSign, type TestMember } from '../../testing/member.ts'
import { createTestWallet } from '../../testing/wallet.ts'

let api: TestApi
let member: TestMember
beforeAll(async () => {
  api = await startTestApi()
  member = await registerMember(api)
})
afterAll(() => api.close())

const logInWith = async (posted: { message: string; signature: string }, to = api) => {
  const { status, body } = await to.call('sign/login', { ...posted, lang: 'en' })
  return [status, body.reason]
}

/** Exactly one post gets a token. A busy machine may answer some of the others with 503. */
function expectExactlyOneSuccess(answers: (number | string | undefined)[][]): void {
  expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
  const refusals = answers.filter(([status]) => status !== 200).map(([, reason]) => reason)
  expect(['signature-used', 'unavailable']).toEqual(expect.arrayContaining([...new Set(refusals)]))
  expect(refusals).toContain('signature-used')
}

describe('a message that was changed after the server wrote it, signed by its owner', () => {
  const replaced = (from: string | RegExp, to: string) => (message: string) => {
    const changed = message.replace(from, to)
    expect(changed).not.toBe(message)
    return changed
  }
  const appended = (text: string) => (message: string) => `${message}${text}`

  it.each([
    ['the domain', replaced('127.0.0.1:5173 wants', 'evil.example wants')],
    ['the domain, with a scheme added', replaced('127.0.0.1:5173 wants', 'http://127.0.0.1:5173 wants')],
    [
      'the account in lower case',
      (message: string) => message.replace(member.wallet.account, member.wallet.account.toLowerCase()),
    ],
    ['the account', (message: string) => message.replace(member.wallet.account, api.root.account)],
    ['the purpose', replaced('Lode: login.', 'Lode: delete everything.')],
    ['one word of the statement', replaced('moves no money', 'moves money')],
    ['the statement, removed', replaced(/Lode: login.*\n\n/, '')],
    ['the URI', replaced('URI: http://127.0.0.1:5173', 'URI: http://evil.example')],
    ['the URI, with a path added', replaced('URI: http://127.0.0.1:5173', 'URI: http://127.0.0.1:5173/login')],
    ['the version', replaced('Version: 1', 'Version: 2')],
    ['the chain', replaced('Chain ID: 31337', 'Chain ID: 1')],
    ['the chain ID, with a leading zero', replaced('Chain ID: 31337', 'Chain ID: 031337')],
    ['the random half of the nonce, not hexadecimal', replaced(/Nonce: ./, 'Nonce: g')],
    [
      'a digit of the random half of the nonce',
      (message: string) => message.replace(/Nonce: (.)/, (_all, digit) => `Nonce: ${digit === '0' ? '1' : '0'}`),
    ],
    [
      'the nonce in upper case',
      (message: string) => message.replace(/Nonce: (\w+)/, (_all, nonce: string) => `Nonce: ${nonce.toUpperCase()}`),
    ],
    ['a longer nonce', replaced(/(Nonce: \w+)/, '$100')],
    ['the time of issue', replaced(/Issued At: 20/, 'Issued At: 21')],
    ['the time of issue, in another notation', replaced(/(Issued At: .*)Z/, '$1+00:00')],
    ['the expiry', replaced(/Expiration Time: 20/, 'Expiration Time: 21')],
    ['the expiry, removed', replaced(/\nExpiration Time: .*/, '')],
    ['a time before which it is not valid', appended('\nNot Before: 2020-01-01T00:00:00.000Z')],
    ['a request id', appended('\nRequest ID: 1')],
    ['a resource', appended('\nResources:\n- https://evil.example')],
    ['a line at the end', appended('\n')],
    ['a space at the end', appended(' ')],
    ['a line break before the text', (message: string) => `\n${message}`],
    ['its line endings', (message: string) => message.replaceAll('\n', '\r\n')],
    ['the whole text', () => 'Please sign in'],
  ])('is refused: changed %s', async (_what, change) => {
    const { message } = await requestAndSign(api, member.wallet)
    const changed = change(message)
    const posted = { message: changed, signature: await member.wallet.sign(changed) }
    expect(await logInWith(posted)).toEqual([422, 'message-invalid'])
    // The original message can still be used.
    expect(await logInWith({ message, signature: await member.wallet.sign(message) })).toEqual([200, undefined])
  })

  it('is refused if no server wrote it', async () => {
    const message = createSiweMessage({
      domain: new URL(TEST_ORIGIN).host,
      uri: TEST_ORIGIN,
      address: member.wallet.account,
      chainId: 31_337,
      version: '1',
      nonce: generateSiweNonce(),
      statement: 'Lode: login. Signing is free and moves no money.',
      issuedAt: new Date(),
      expirationTime: new Date(Date.now() + 300_000),
    })
    expect(await logInWith({ message, signature: await member.wallet.sign(message) })).toEqual([422, 'message-invalid'])
  })
})

describe('a message of another pool', () => {
  it.each([
    ['domain', { PUBLIC_ORIGIN: 'https://evil.example' }],
    ['secret', { NONCE_SECRET: 'another secret, of the same length and more' }],
  ])('is refused: another %s', async (_what, environment) => {
    const other = await startTestApi(environment, api.database)
    try {
      const foreign = await requestAndSign(other, member.wallet)
      expect(await logInWith(foreign)).toEqual([422, 'message-invalid'])
      expect(await logInWith(foreign, other)).toEqual([200, undefined])
    } finally {
      await other.close()
    }
  })

  it('always names the configured origin, whatever the Host header says', async () => {
    const { hostname, port } = new URL(api.url)
    const { request } = await import('node:http')
    const body = await new Promise<string>((resolve, reject) => {
      const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
      const path = `/api/sign/check?account=${member.wallet.account}`
      request({ hostname, port, path, headers }, (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve(text))
      })
        .on('error', reject)
        .end()
    })
    expect(body).toContain('127.0.0.1:5173 wants you to sign in')
    expect(body).not.toContain('evil.example')
  })
})

describe('a signature for one purpose', () => {
  it('is refused for another purpose: a login signature cannot register', async () => {
    const { wallet } = await registerMember(api)
    const login = await requestAndSign(api, wallet)
    const { status, body } = await api.call('sign/regist', { ...login, invite: api.rootCode, lang: 'en' })
    expect([status, body.reason]).toEqual([422, 'message-invalid'])
  })

  it('is refused for another purpose: a registration signature cannot log in', async () => {
    const wallet = createTestWallet()
    const [first, second] = [
      await requestAndSign(api, wallet, api.rootCode),
      await requestAndSign(api, wallet, api.rootCode),
    ]
    await api.call('sign/regist', { ...first, invite: api.rootCode, lang: 'en' })
    expect(await logInWith(second)).toEqual([422, 'message-invalid'])
  })

  it('cannot register under another inviter', async () => {
    const inviter = await registerMember(api)
    const profile = await api.call('account/profile', { account: inviter.wallet.account }, inviter)
    const posted = await requestAndSign(api, createTestWallet(), api.rootCode)
    const other = await api.call('sign/regist', { ...posted, invite: profile.body.data.inviteCode, lang: 'en' })
    expect([other.status, other.body.reason]).toEqual([422, 'message-invalid'])
  })

  it('does not reveal which invitation codes exist', async () => {
    const posted = await requestAndSign(api, createTestWallet(), api.rootCode)
    const nobodys = await api.call('sign/regist', { ...posted, invite: '00000000', lang: 'en' })
    expect([nobodys.status, nobodys.body.reason]).toEqual([422, 'message-invalid'])
  })
})

describe('the lifetime of a message', () => {
  it('ends after five minutes', async () => {
    const posted = await requestAndSign(api, member.wallet)
    await api.clock.advance(299)
    const early = await requestAndSign(api, member.wallet)
    expect(await logInWith(posted)).toEqual([200, undefined])
    await api.clock.advance(300)
    expect(await logInWith(early)).toEqual([422, 'message-expired'])
  })

  it('begins when it is issued: a message from the future is refused', async () => {
    const posted = await requestAndSign(api, member.wallet)
    await api.clock.advance(-60)
    expect(await logInWith(posted)).toEqual([422, 'message-invalid'])
    await api.clock.advance(60)
  })
})

describe('a signature that was used', () => {
  it('is refused the second time', async () => {
    const posted = await requestAndSign(api, member.wallet)
    expect(await logInWith(posted)).toEqual([200, undefined])
    expect(await logInWith(posted)).toEqual([409, 'signature-used'])
  })

  it('is refused the second time for a registration too', async () => {
    const posted = {
      ...(await requestAndSign(api, createTestWallet(), api.rootCode)),
      invite: api.rootCode,
      lang: 'en',
    } as const
    expect((await api.call('sign/regist', posted)).status).toBe(200)
    const again = await api.call('sign/regist', posted)
    expect([again.status, again.body.reason]).toEqual([409, 'signature-used'])
  })

  it('gives one token when it is posted a hundred times at once', async () => {
    const { wallet } = await registerMember(api)
    const posted = await requestAndSign(api, wallet)
    const answers = await Promise.all(Array.from({ length: 100 }, () => logInWith(posted)))
    expectExactlyOneSuccess(answers)
    const sessions = await sql`
      select session.id from lode.session join lode.member on member.id = session.member_id
      where member.account = ${bytesOf(wallet.account)}`.execute(api.db)
    // One session from the registration and one from the login.
    expect(sessions.rows).toHaveLength(2)
  })

  it('registers one member when it is posted a hundred times at once', async () => {
    const wallet = createTestWallet()
    const posted = { ...(await requestAndSign(api, wallet, api.rootCode)), invite: api.rootCode, lang: 'en' } as const
    const answers = await Promise.all(Array.from({ length: 100 }, () => api.call('sign/regist', posted)))
    expectExactlyOneSuccess(answers.map(({ status, body }) => [status, body.reason]))
  })

  it('registers one member when ten different messages of one account are posted at once', async () => {
    const wallet = createTestWallet()
    const messages = await Promise.all(Array.from({ length: 10 }, () => requestAndSign(api, wallet, api.rootCode)))
    const answers = await Promise.all(
      messages.map((posted) => api.call('sign/regist', { ...posted, invite: api.rootCode, lang: 'en' })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.reason === 'account-registered')).toHaveLength(9)
  })
})

describe('an attacker', () => {
  it('cannot sign another member’s message', async () => {
    const { message } = await requestAndSign(api, member.wallet)
    const signature = await createTestWallet().sign(message)
    expect(await logInWith({ message, signature })).toEqual([422, 'signature-invalid'])
  })

  it('cannot use a nonce that was issued to another member', async () => {
    const { wallet: stranger } = await registerMember(api)
    const { message } = await requestAndSign(api, member.wallet)
    const own = message.replace(member.wallet.account, stranger.account)
    expect(await logInWith({ message: own, signature: await stranger.sign(own) })).toEqual([422, 'message-invalid'])
  })

  it.each([
    ['zeros', `0x${'00'.repeat(65)}`],
    ['ones', `0x${'ff'.repeat(65)}`],
    ['one byte', '0x00'],
    ['sixty-four bytes', `0x${'11'.repeat(64)}`],
    ['an empty EIP-6492 wrapper', `0x${'6492'.repeat(16)}`],
    ['eight thousand bytes', `0x${'ab'.repeat(8_000)}`],
  ])('is refused with a signature of %s', async (_what, signature) => {
    const { message } = await requestAndSign(api, member.wallet)
    expect(await logInWith({ message, signature })).toEqual([422, 'signature-invalid'])
  })

  it.each([
    ['not hexadecimal', '0xzz'],
    ['with half a byte', '0x123'],
    ['without any bytes', '0x'],
    ['too long', `0x${'ab'.repeat(9_000)}`],
  ])('is refused with a signature %s, before anything is verified', async (_what, signature) => {
    const { message } = await requestAndSign(api, member.wallet)
    const { status, body } = await api.call('sign/login', { message, signature, lang: 'en' })
    expect([status, body.reason, Object.keys(body.fields ?? {})]).toEqual([400, 'format', ['signature']])
  })

  it('is refused with a statement of 10 kB', async () => {
    const { message } = await requestAndSign(api, member.wallet)
    const long = message.replace('Lode: login.', `Lode: login.${' '.repeat(10_000)}`)
    const { status, body } = await api.call('sign/login', {
      message: long,
      signature: await member.wallet.sign(long),
      lang: 'en',
    })
    expect([status, body.reason]).toEqual([400, 'format'])
  })

  it('cannot end a session by any of these attempts', async () => {
    const { body } = await logIn(api, member.wallet)
    expect((await api.call('account/profile', { account: member.wallet.account }, body.data)).status).toBe(200)
  })
})
