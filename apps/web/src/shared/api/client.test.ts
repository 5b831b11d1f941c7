import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Language } from '@lode/wire'
import { refusalTexts } from '@lode/wire/texts/zh_cn'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startI18n, text } from '../i18n/index.ts'
import { session as reader } from '../session/index.ts'
import { type Api, type ApiPorts, createApi } from './client.ts'

const ALICE = '0x8A3f5C0b1d9E42F7aa61c0B8d5E4f3927160e21C'
const PROFILE = {
  account: ALICE,
  mode: 'full',
  level: 0,
  activated: false,
  expert: false,
  partner: false,
  disabled: null,
  inviterTail: null,
  inviteCode: '7QK2M9X4',
  lang: 'en',
  lastLoginAt: null,
  registeredAt: '2026-11-15T06:14:09.000Z',
  protection: {
    at: '2026-11-15T06:14:09.000Z',
    fundPassword: { chosen: false, lockedUntil: null, reset: null },
    outputAddress: { address: ALICE, own: true, boundAt: null, waiting: null },
    addressesUsed: [ALICE],
    transfersLockedUntil: null,
    holds: [],
  },
  risk: { version: 1, acceptedAt: null },
}
const NOTHING = { values: '0', without: [] }
const HOME = {
  have: { items: [], total: NOTHING, priceAt: null },
  earned: { items: [], total: { today: NOTHING, yesterday: NOTHING, month: NOTHING, all: NOTHING }, priceAt: null },
  collect: [{ part: 'dividends', symbol: 'BTC', amount: '0.00000001' }],
  countsFrom: null,
  last: null,
  steps: null,
}

type Seen = { method: string | undefined; url: URL; headers: IncomingMessage['headers']; body: string }

let answer: (response: ServerResponse) => void
let seen: Seen[]
const server = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  seen.push({
    method: request.method,
    url: new URL(request.url ?? '', 'http://server'),
    headers: request.headers,
    body,
  })
  answer(response)
})
let baseUrl: string

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
  reader.chooseLanguage('zh_cn')
  await startI18n({
    onLanguage: (htmlLang) => {
      shown = htmlLang
    },
    onFailure: (error) => {
      throw error
    },
  })
})
afterAll(() => void server.close())

const replyWith = (status: number, body: unknown, type = 'application/json') => {
  answer = (response) => {
    response.writeHead(status, { 'content-type': type })
    response.end(type === 'application/json' ? JSON.stringify(body) : String(body))
  }
}
const succeedWith = (data: unknown, message = '') => replyWith(200, { code: 200, message, data })

/** The language of the texts that are shown at the moment. */
let shown = ''
async function readIn(language: Language, htmlLang: string) {
  reader.chooseLanguage(language)
  await vi.waitFor(() => expect(shown).toBe(htmlLang), 10_000)
}

type State = { token: string | null; account: string | null; lang: Language }
let session: State
let expired: number
let toasts: string[]
let idle: number
let api: Api

function createClient(overrides: Partial<ApiPorts> = {}): Api {
  return createApi({
    baseUrl,
    session: () => session,
    expireSession: () => {
      expired++
      session = { ...session, token: null, account: null }
    },
    toast: {
      success: (text) => void toasts.push(`success: ${text}`),
      error: (text) => void toasts.push(`error: ${text}`),
    },
    text,
    idleSeconds: () => idle,
    now: () => 1_763_187_249_000,
    timeoutMs: 60_000,
    ...overrides,
  })
}

beforeEach(async () => {
  await readIn('zh_cn', 'zh-Hans')
  session = { token: 'secret', account: ALICE, lang: 'zh_cn' }
  expired = 0
  toasts = []
  seen = []
  idle = 0
  api = createClient()
})

describe('a read', () => {
  it('sends the account, the time, the token, the language and the idle time', async () => {
    idle = 42
    succeedWith(PROFILE)
    const result = await api.call('account/profile', {})

    expect(result).toEqual({ ok: true, value: PROFILE })
    expect(seen).toHaveLength(1)
    expect(seen[0]?.method).toBe('GET')
    expect(seen[0]?.url.pathname).toBe('/api/account/profile')
    expect(Object.fromEntries(seen[0]?.url.searchParams ?? [])).toEqual({ account: ALICE, _t: '1763187249000' })
    expect(seen[0]?.headers).toMatchObject({
      authorization: 'Bearer secret',
      'accept-language': 'zh-CN',
      'x-idle-seconds': '42',
    })
  })

  it('without parameters sends no time', async () => {
    succeedWith({
      chainId: 31337,
      name: 'Local',
      rpcUrl: 'http://x',
      currency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      explorerUrl: null,
      vault: `0x${'11'.repeat(20)}`,
      tokens: {
        USDT: { address: `0x${'22'.repeat(20)}`, decimals: 6 },
        BTN: { address: `0x${'33'.repeat(20)}`, decimals: 18 },
        BTC: { address: `0x${'44'.repeat(20)}`, decimals: 8 },
      },
      finalityMinutes: 15,
      walletConnect: null,
      contactUrl: null,
      btnSourceUrl: null,
    })
    expect((await api.call('pool/chain', {})).ok).toBe(true)
    expect(seen[0]?.url.search).toBe('')
  })

  it('of the public figures sends no time, so that a cache in front of the server can answer', async () => {
    succeedWith({ items: [], next: null })
    await api.call('pool/days', { limit: '14' })
    expect(seen[0]?.url.search).toBe('?limit=14')
  })

  it('of Home is not sent again while it has not changed, and counts as new', async () => {
    const home = { at: '2026-11-15T06:14:09.000Z', ...HOME }
    const answers = [
      { status: 200, headers: { etag: '"one"' }, data: home },
      { status: 304, headers: { etag: '"one"', 'x-at': '2026-11-15T06:16:09.000Z' } },
      { status: 200, headers: { etag: '"two"' }, data: { ...home, collect: [] } },
      { status: 200, headers: { etag: '"three"' }, data: home },
    ]
    answer = (response) => {
      const { status, headers, data } = answers[seen.length - 1] ?? { status: 500, headers: {} }
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(data ? JSON.stringify({ code: 200, message: '', data }) : '')
    }
    expect(await api.call('account/home', {})).toEqual({ ok: true, value: home })
    const renewed = { ...home, at: '2026-11-15T06:16:09.000Z' }
    expect(await api.call('account/home', {})).toEqual({ ok: true, value: renewed })
    expect(await api.call('account/home', {})).toMatchObject({ ok: true, value: { collect: [] } })
    session = { ...session, account: `0x${'b0'.repeat(20)}` }
    expect(await api.call('account/home', {})).toEqual({ ok: true, value: home })
    expect(seen.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"one"', '"one"', undefined])
    expect(toasts).toEqual([])
  })

  it('omits undefined values', async () => {
    succeedWith({ action: 'login', message: 'sign me', inviterTail: null })
    await api.call('sign/check', { account: ALICE, invite: undefined })
    expect(Object.fromEntries(seen[0]?.url.searchParams ?? [])).toEqual({ account: ALICE, _t: '1763187249000' })
  })
})

describe('a write', () => {
  it('sends the account in its body', async () => {
    succeedWith({ lang: 'zh_tw' })
    await api.call('account/lang', { lang: 'zh_tw' })
    expect(seen[0]?.method).toBe('POST')
    expect(seen[0]?.url.search).toBe('')
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ lang: 'zh_tw', account: ALICE })
    expect(seen[0]?.headers['content-type']).toBe('application/json')
  })
})

it('a call with keepalive is sent with keepalive', async () => {
  succeedWith({})
  const fetched = vi.spyOn(globalThis, 'fetch')
  await api.call('account/logout', {}, { keepalive: true })
  expect(fetched.mock.lastCall?.[1]).toMatchObject({ keepalive: true })
  fetched.mockRestore()
})

describe('without a token', () => {
  beforeEach(() => {
    session = { token: null, account: null, lang: 'zh_cn' }
  })

  it('a call that needs a token is blocked before it is sent', async () => {
    const result = await api.call('account/profile', {})
    expect(result).toMatchObject({ ok: false, error: { kind: 'blocked' } })
    expect(toasts).toEqual(['error: 缺少 token，请求被阻止'])
    expect(seen).toEqual([])
  })

  it.each([null, 'secret'])('open routes are not blocked and never get the token %s', async (token) => {
    session = { token, account: token && ALICE, lang: 'zh_cn' }
    replyWith(503, {})
    await api.call('sign/check', { account: ALICE })
    await api.call('sign/login', { message: 'm', signature: '0x00', lang: 'en' })
    await api.call('sign/regist', { message: 'm', signature: '0x00', lang: 'en', invite: '7QK2M9X4' })
    await api.call('pool/chain', {})
    expect(seen.map(({ url }) => url.pathname)).toEqual([
      '/api/sign/check',
      '/api/sign/login',
      '/api/sign/regist',
      '/api/pool/chain',
    ])
    for (const request of seen) expect(request.headers.authorization).toBeUndefined()
  })
})

it('a call that needs an account fails before it is sent if there is none', async () => {
  session = { token: 'secret', account: null, lang: 'en' }
  await readIn('en', 'en')
  expect(await api.call('account/profile', {})).toMatchObject({ ok: false, error: { kind: 'no-account' } })
  expect(toasts).toEqual(['error: Request failed: account not available'])
  expect(seen).toEqual([])
})

describe('success', () => {
  it('shows the server’s message', async () => {
    succeedWith({}, '已退出')
    await api.call('account/logout', {})
    expect(toasts).toEqual(['success: 已退出'])
  })

  it('shows a message under the name msg', async () => {
    replyWith(200, { code: 200, msg: '好', data: {} })
    await api.call('account/logout', {})
    expect(toasts).toEqual(['success: 好'])
  })

  it('shows nothing without a message', async () => {
    succeedWith(PROFILE)
    await api.call('account/profile', {})
    expect(toasts).toEqual([])
  })
})

describe('no response', () => {
  it('is shown if the server cannot be reached', async () => {
    api = createClient({ baseUrl: 'http://127.0.0.1:1/api' })
    expect(await api.call('account/profile', {})).toMatchObject({ ok: false, error: { kind: 'no-response' } })
    expect(toasts).toEqual(['error: 网络连接失败，请检查网络设置'])
  })

  it('is shown after a timeout', async () => {
    answer = () => {}
    api = createClient({ timeoutMs: 50 })
    expect(await api.call('account/profile', {})).toMatchObject({ ok: false, error: { kind: 'no-response' } })
    expect(toasts).toEqual(['error: 网络连接失败，请检查网络设置'])
  })

  it('is reported if the answer is cut off', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"code":200')
      setTimeout(() => response.destroy(), 10)
    }
    expect(await api.call('account/profile', {})).toMatchObject({ ok: false, error: { kind: 'no-response' } })
  })

  it('is not shown if the caller canceled the call', async () => {
    answer = () => {}
    const giveUp = new AbortController()
    const pending = api.call('account/profile', {}, { signal: giveUp.signal })
    giveUp.abort()
    expect(await pending).toMatchObject({ ok: false, error: { kind: 'cancelled' } })
    expect(toasts).toEqual([])
  })
})

describe('401', () => {
  it.each([
    ['as HTTP status', 401, { code: 401, message: 'x', data: null }],
    ['in the envelope', 200, { code: 401, message: 'x', data: null }],
    ['without a body', 401, ''],
  ])('%s ends the session and shows a toast', async (_how, status, body) => {
    replyWith(status, body)
    expect(await api.call('account/profile', {})).toMatchObject({ ok: false, error: { kind: 'session-ended' } })
    expect(expired).toBe(1)
    expect(toasts).toEqual(['error: 登录已过期，请重新登录'])
  })

  it('is shown once, even for quiet calls', async () => {
    replyWith(401, '')
    await Promise.all([1, 2, 3].map(() => api.call('account/profile', {}, { quiet: true })))
    expect(expired).toBe(1)
    expect(toasts).toEqual(['error: 登录已过期，请重新登录'])
  })

  it('for an old token does not end a newer session', async () => {
    answer = (response) => {
      session = { token: 'newer', account: ALICE, lang: 'zh_cn' }
      response.writeHead(401).end()
    }
    await api.call('account/profile', {})
    expect(expired).toBe(0)
    expect(toasts).toEqual([])
    expect(session.token).toBe('newer')
  })
})

describe('another envelope code', () => {
  it('is shown with the message of the envelope', async () => {
    replyWith(200, { code: 500, message: '余额不足', data: null })
    expect(await api.call('account/profile', {})).toMatchObject({
      ok: false,
      error: { kind: 'refused', status: 500, reason: null, serverMessage: '余额不足' },
    })
    expect(toasts).toEqual(['error: 余额不足'])
  })

  it('is shown with a message under the name msg', async () => {
    replyWith(200, { code: 409, msg: '余额不足', data: null })
    await api.call('account/profile', {})
    expect(toasts).toEqual(['error: 余额不足'])
  })

  it('without a message is shown as a failed request', async () => {
    replyWith(200, { code: 500, message: '', data: null })
    await api.call('account/profile', {})
    expect(toasts).toEqual(['error: 请求失败'])
  })
})

describe('an HTTP error', () => {
  it.each([
    ['message', { message: 'from message', msg: 'no', error: 'no' }, 'from message'],
    ['msg', { msg: 'from msg', error: 'no' }, 'from msg'],
    ['error', { message: '', error: 'from error' }, 'from error'],
    ['a JSON string', 'from a string', 'from a string'],
  ])('is shown with the message of the body: %s', async (_where, body, text) => {
    replyWith(422, body)
    await api.call('account/profile', {})
    expect(toasts).toEqual([`error: ${text}`])
  })

  it('is shown with a plain text body', async () => {
    replyWith(503, 'Closed for an hour', 'text/plain')
    await api.call('account/profile', {})
    expect(toasts).toEqual(['error: Closed for an hour'])
  })

  it.each([
    [400, '请求参数错误'],
    [403, '拒绝访问'],
    [404, '请求资源不存在'],
    [408, '请求超时'],
    [500, '服务器内部错误'],
    [501, '服务未实现'],
    [502, '网关错误'],
    [503, '服务不可用'],
    [504, '网关超时'],
  ])('%d without a message is shown with the text of its status', async (status, text) => {
    replyWith(status, {})
    await api.call('account/profile', {})
    expect(toasts).toEqual([`error: ${text}`])
  })

  it("of a proxy does not show the proxy's page", async () => {
    replyWith(502, '<html><body>nginx</body></html>', 'text/html')
    await api.call('account/profile', {})
    expect(toasts).toEqual(['error: 网关错误'])
  })
})

describe('a failure without any message', () => {
  it.each([
    ['an unknown status', 418, ''],
    ['no envelope', 200, 'hello'],
    ['data of another shape', 200, { code: 200, message: '', data: { level: 'high' } }],
  ])('is NET ERROR!: %s', async (_why, status, body) => {
    session = { ...session, lang: 'en' }
    await readIn('en', 'en')
    replyWith(status, body)
    expect((await api.call('account/profile', {})).ok).toBe(false)
    expect(toasts).toEqual(['error: NET ERROR!'])
  })
})

describe('a refusal', () => {
  const refuse = (fields?: Record<string, string>) =>
    replyWith(422, {
      code: 422,
      message: 'Nobody has this invitation code.',
      data: null,
      reason: 'invite-unknown',
      fields,
    })

  it("with a known reason is shown in the reader's language, not in the server's", async () => {
    refuse()
    expect(await api.call('sign/check', { account: ALICE, invite: '7QK2M9X4' })).toMatchObject({
      ok: false,
      error: { kind: 'refused', status: 422, reason: 'invite-unknown' },
    })
    expect(toasts).toEqual([`error: ${refusalTexts['invite-unknown']}`])
  })

  it('has a message for each wrong field', async () => {
    refuse({ invite: 'invite-format', amount: 'too much' })
    expect(await api.call('sign/check', { account: ALICE, invite: '7QK2M9X4' }, { quiet: true })).toMatchObject({
      error: { fields: { invite: refusalTexts['invite-format'], amount: 'too much' } },
    })
  })

  it('shows no toast for a quiet call', async () => {
    refuse()
    await api.call('sign/check', { account: ALICE, invite: '7QK2M9X4' }, { quiet: true })
    expect(toasts).toEqual([])
  })

  it('with an unknown reason is shown with the server’s message', async () => {
    replyWith(422, { code: 422, message: 'Not today', data: null, reason: 'from-the-future' })
    await api.call('account/profile', {})
    expect(toasts).toEqual(['error: Not today'])
  })
})
