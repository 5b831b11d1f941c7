import { type Envelope, languages, routes } from '@lode/wire'
import { refusalTexts as zhCn } from '@lode/wire/texts/zh_cn'
import { refusalTexts as zhTw } from '@lode/wire/texts/zh_tw'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { registerMember } from '../../testing/member.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const envelopeOf = async (response: Response): Promise<Envelope<unknown>> => {
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  const body = (await response.json()) as Envelope<unknown>
  expect(body.code).toBe(response.status)
  return body
}

const json = { 'content-type': 'application/json' }

describe('the mounted routes', () => {
  it('are exactly those of the table of routes', async () => {
    const mounted = api.app.mountedRoutes.filter(({ url }) => url.startsWith('/api/') && !url.startsWith('/api/docs'))
    const wanted = Object.values(routes).map(({ method, path }) => `${method} /api${path}`)
    const found = mounted.filter(({ method }) => method !== 'HEAD').map(({ method, url }) => `${method} ${url}`)
    expect(found.toSorted()).toEqual([...wanted, 'GET /api/openapi.json'].toSorted())
  })

  it('are in the OpenAPI document, with all their refusals', async () => {
    const document = (await (await api.fetch('/api/openapi.json')).json()) as {
      paths: Record<string, Record<string, { operationId: string; responses: object; security?: object[] }>>
    }
    for (const [name, route] of Object.entries(routes)) {
      const operation = document.paths[`/api${route.path}`]?.[route.method.toLowerCase()]
      expect(operation?.operationId).toBe(name)
      expect(operation?.security !== undefined).toBe(route.access !== 'open')
      const described = JSON.stringify(operation?.responses)
      for (const refusal of route.refusals) expect(described, name).toContain(`"${refusal}"`)
    }
    expect(Object.keys(document.paths)).toHaveLength(Object.keys(routes).length)
  })

  it('are documented on a page', async () => {
    const page = await api.fetch('/api/docs/')
    expect(page.status).toBe(200)
    const html = await page.text()
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/)
    for (const [, source] of html.matchAll(/(?:src|href)="([^"]+)"/g))
      expect([source, (await fetch(new URL(source ?? '', page.url))).status]).toEqual([source, 200])
  })
})

describe('every answer is an envelope whose code is the status', () => {
  const post = (body: string, headers: Record<string, string> = json) =>
    api.fetch('/api/sign/login', { method: 'POST', headers, body })

  it.each([
    ['an unknown route', () => api.fetch('/api/nothing'), 404, 'not-found'],
    ['an unknown page', () => api.fetch('/nothing'), 404, 'not-found'],
    ['the wrong method', () => api.fetch('/api/sign/login'), 404, 'not-found'],
    ['an unknown method', () => api.fetch('/api/sign/check', { method: 'DELETE' }), 404, 'not-found'],
    ['a malformed path', () => api.fetch('/api/%zz'), 400, 'format'],
    ['malformed JSON', () => post('{"message":'), 400, 'format'],
    ['a JSON array', () => post('[]'), 400, 'format'],
    ['JSON null', () => post('null'), 400, 'format'],
    ['an empty body', () => post(''), 400, 'format'],
    ['no body', () => api.fetch('/api/sign/login', { method: 'POST' }), 400, 'format'],
    ['a form', () => post('a=b', { 'content-type': 'application/x-www-form-urlencoded' }), 400, 'format'],
    ['plain text', () => post('{}', { 'content-type': 'text/plain' }), 400, 'format'],
    [
      'no content type',
      () => api.fetch('/api/sign/login', { method: 'POST', body: new Uint8Array([123, 125]) }),
      400,
      'format',
    ],
    ['a body with __proto__', () => post('{"__proto__":{"lang":"en"}}'), 400, 'format'],
    ['more than 32 kB', () => post(JSON.stringify({ message: 'x'.repeat(40_000) })), 400, 'format'],
    ['an unknown field', () => post('{"message":"m","signature":"0x00","lang":"en","admin":true}'), 400, 'format'],
    ['an account given twice', () => api.fetch('/api/sign/check?account=0x1&account=0x2'), 400, 'account-format'],
    ['no token', () => api.fetch('/api/account/profile'), 401, 'session-expired'],
  ])('%s', async (_what, request, status, reason) => {
    const response = await request()
    expect(response.status).toBe(status)
    expect(await envelopeOf(response)).toMatchObject({ code: status, reason, data: null })
  })

  it('an internal error, without its details', async () => {
    const broken = await startTestApi()
    try {
      const member = await registerMember(broken)
      await sql`alter table lode.member rename column lang to tongue`.execute(broken.db)
      const { status, body } = await broken.call('account/profile', { account: member.wallet.account }, member)
      expect([status, body]).toEqual([
        500,
        {
          code: 500,
          reason: 'internal',
          data: null,
          message: 'Something went wrong on our side. Nothing was changed.',
        },
      ])
      expect(broken.logs()).toContain('column member.lang does not exist')
    } finally {
      await broken.close()
    }
  })

  it('names the wrong fields, and repeats no unknown field name', async () => {
    const response = await post('{"message":"","signature":"0","<b>":1}')
    const body = await envelopeOf(response)
    expect(Object.keys(body.fields ?? {})).toEqual(['message', 'signature', 'lang'])
  })
})

describe('messages', () => {
  it.each([
    ['zh-TW', zhTw['not-found']],
    ['zh-CN', zhCn['not-found']],
    ['zh-Hant-HK;q=0.9, en', zhTw['not-found']],
    ['fr, zh;q=0.8', zhCn['not-found']],
    ['en', 'There is nothing at this address.'],
    ['fr', 'There is nothing at this address.'],
  ])('come in the caller’s language: %s', async (language, words) => {
    const response = await api.fetch('/api/nothing', { headers: { 'accept-language': language } })
    expect((await envelopeOf(response)).message).toBe(words)
  })

  it('exist in three languages', () => {
    expect(languages).toEqual(['en', 'zh_tw', 'zh_cn'])
  })
})

describe('headers', () => {
  it('forbid caching, framing, sniffing and cross-origin access', async () => {
    for (const path of [`/api/sign/check?account=${api.root.account}`, '/api/account/profile', '/api/nothing']) {
      const { headers } = await api.fetch(path)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('x-powered-by')).toBeNull()
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it('contain an id for each request, which an outside caller cannot choose', async () => {
    const given = 'a-strangers-own-id'
    const first = await api.fetch('/healthz', { headers: { 'x-request-id': given } })
    const second = await api.fetch('/healthz')
    const ids = [first.headers.get('x-request-id'), second.headers.get('x-request-id')]
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(ids[0]).not.toBe(ids[1])
    expect(api.logs()).toContain(ids[0])
    expect(api.logs()).not.toContain(given)
  })

  it('contain the request id that a trusted proxy sent', async () => {
    const behind = await startTestApi({ TRUSTED_PROXIES: '127.0.0.1' }, api.database)
    try {
      const idFor = async (given: string) =>
        (await behind.fetch('/healthz', { headers: { 'x-request-id': given } })).headers.get('x-request-id')
      expect(await idFor('edge-0001')).toBe('edge-0001')
      expect(await idFor('short')).not.toBe('short')
      expect(await idFor(`edge ${'x'.repeat(100)}`)).not.toContain('edge')
    } finally {
      await behind.close()
    }
  })
})

describe('health', () => {
  it('reports a process that runs and is ready', async () => {
    expect(await (await api.fetch('/healthz')).json()).toEqual({ status: 'ok' })
    // In this test neither of the other processes runs. That is told, and does not make the api unready.
    expect(await (await api.fetch('/readyz')).json()).toEqual({
      status: 'ready',
      worker: 'has never reported',
      signer: 'has never reported',
    })
  })

  it('reports that the process is not ready if a migration or the database is missing', async () => {
    const other = await startTestApi()
    try {
      await sql`delete from lode.migration where name = '0003_identity'`.execute(other.db)
      const missing = await other.fetch('/readyz')
      expect([missing.status, await missing.json()]).toEqual([503, { status: 'migrations missing' }])
      expect((await other.fetch('/healthz')).status).toBe(200)
    } finally {
      await other.close()
    }
  })

  it('serves metrics by route and outcome, to our own network only', async () => {
    await registerMember(api)
    const metrics = await (await api.fetch('/metrics')).text()
    expect(metrics).toMatch(/lode_http_request_seconds_count\{.*route="\/api\/sign\/regist",status="200"\} [1-9]/)
    expect(metrics).toMatch(/lode_sign_ins_total\{action="register",outcome="ok",.*\} [1-9]/)
    expect(metrics).toMatch(/lode_database_connections\{.*state="open".*\} [1-9]/)
    const forwarded = await api.fetch('/metrics', { headers: { 'x-forwarded-for': '203.0.113.7' } })
    expect(await envelopeOf(forwarded)).toMatchObject({ code: 404, reason: 'not-found' })
  })
})

describe('when the database is gone', () => {
  it('the api answers 503, keeps running, and works again when the database is back', async () => {
    const other = await startTestApi()
    try {
      const member = await registerMember(other)
      const { account } = member.wallet
      await other.database.setReachable(false)
      const { status, body } = await other.call('account/profile', { account }, member)
      expect([status, body.reason]).toEqual([503, 'unavailable'])
      expect((await other.fetch('/readyz')).status).toBe(503)
      expect((await other.fetch('/healthz')).status).toBe(200)
      await other.database.setReachable(true)
      expect((await other.call('account/profile', { account }, member)).status).toBe(200)
    } finally {
      await other.close()
    }
  })
})
