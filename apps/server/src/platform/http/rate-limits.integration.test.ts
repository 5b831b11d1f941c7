import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { PASSWORD, registerMember } from '../../testing/member.ts'
import { createTestWallet } from '../../testing/wallet.ts'
import { bytesOf } from '../chain/hex-column.ts'

const started: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of started.splice(0).toReversed()) await close()
})

async function start(environment: Record<string, string>, database?: TestDatabase): Promise<TestApi> {
  const api = await startTestApi({ RATE_LIMITS: 'on', ...environment }, database)
  started.push(() => api.close())
  return api
}

const lookUp = async (api: TestApi, headers: Record<string, string> = {}) => {
  const { account } = createTestWallet()
  const { status, body, headers: answered } = await api.call('sign/check', { account, invite: '00000000' }, { headers })
  return { reason: body.reason, status, retryAfter: answered.get('retry-after') }
}

async function lookUpTimes(
  api: TestApi,
  times: number,
  headers?: Record<string, string>,
): Promise<(string | undefined)[]> {
  const reasons: (string | undefined)[] = []
  for (let time = 0; time < times; time += 1) reasons.push((await lookUp(api, headers)).reason)
  return reasons
}

describe('a call that needs the fund password', () => {
  it('is allowed twenty times a minute for one account, from all addresses together', async () => {
    const api = await start({ TRUSTED_PROXIES: '127.0.0.1' })
    const [guesser, other] = [await registerMember(api), await registerMember(api)]
    const guess = async ({ wallet, token }: typeof guesser, from: number) => {
      // A wrong set-up code, which costs no slow hash.
      const input = { account: wallet.account, setupCode: '0000000000000000', newPassword: PASSWORD }
      const headers = { 'x-forwarded-for': `203.0.113.${from}` }
      return (await api.call('account/fund-password', input, { token, headers })).body.reason
    }
    for (let time = 1; time <= 20; time += 1) expect(await guess(guesser, time)).toBe('setup-code-wrong')
    expect(await guess(guesser, 21)).toBe('rate-limited')
    expect(await guess(other, 1)).toBe('setup-code-wrong')
  })
})

describe('invitation codes', () => {
  it('can be looked up ten times a minute from one address', async () => {
    const api = await start({})
    expect(await lookUpTimes(api, 10)).toEqual(Array(10).fill('invite-unknown'))
    const { status, reason, retryAfter } = await lookUp(api)
    expect([status, reason]).toEqual([429, 'rate-limited'])
    expect(Number(retryAfter)).toBeGreaterThan(0)
    expect(Number(retryAfter)).toBeLessThanOrEqual(60)
    // Signing in without a code, and every other call, still works.
    expect((await api.call('sign/check', { account: api.root.account })).status).toBe(200)
    expect(api.logs()).toContain('rate limits are counted in this process alone')
  })

  it('are counted by the address that a trusted proxy reports, and by no other header', async () => {
    const behind = await start({ TRUSTED_PROXIES: '127.0.0.1' })
    for (const address of ['203.0.113.1', '203.0.113.2'])
      expect(await lookUpTimes(behind, 10, { 'x-forwarded-for': address })).not.toContain('rate-limited')
    expect((await lookUp(behind, { 'x-forwarded-for': '203.0.113.1' })).reason).toBe('rate-limited')
    // Addresses that a caller puts in front of the proxy's own entry change nothing.
    expect((await lookUp(behind, { 'x-forwarded-for': '198.51.100.9, 203.0.113.1' })).reason).toBe('rate-limited')

    const direct = await start({})
    await lookUpTimes(direct, 10)
    expect((await lookUp(direct, { 'x-forwarded-for': '203.0.113.3' })).reason).toBe('rate-limited')
  })

  it('are counted by the network of an IPv6 address, because one caller has billions of addresses', async () => {
    const behind = await start({ TRUSTED_PROXIES: '127.0.0.1' })
    for (let host = 1; host <= 10; host += 1) await lookUp(behind, { 'x-forwarded-for': `2001:db8:1:2::${host}` })
    expect((await lookUp(behind, { 'x-forwarded-for': '2001:db8:1:2:ffff::1' })).reason).toBe('rate-limited')
    expect((await lookUp(behind, { 'x-forwarded-for': '2001:db8:1:3::1' })).reason).toBe('invite-unknown')
  })
})

describe('a member', () => {
  it('is limited by account, from all addresses together', async () => {
    const api = await start({ TRUSTED_PROXIES: '127.0.0.1' })
    const member = await registerMember(api)
    const other = await registerMember(api)
    const { account } = member.wallet
    const statuses: number[] = []
    for (let call = 0; call < 301; call += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${call % 250}` }
      statuses.push((await api.call('account/profile', { account }, { ...member, headers })).status)
    }
    expect(statuses.slice(0, 300)).toEqual(Array(300).fill(200))
    expect(statuses[300]).toBe(429)
    expect((await api.call('account/profile', { account: other.wallet.account }, other)).status).toBe(200)
  })
})

describe('an address', () => {
  /**
   * How many of these calls are refused because of a limit. They are made without sockets, which takes less time. If the
   * limit is reached within a hundred calls at once, all of them are refused.
   */
  const countRefused = async (api: TestApi, calls: number, url: string, headers: Record<string, string> = {}) => {
    let refused = 0
    for (let sent = 0; sent < calls; sent += 100) {
      const batch = Array.from({ length: Math.min(100, calls - sent) }, () => api.app.inject({ url, headers }))
      for (const { statusCode } of await Promise.all(batch)) if (statusCode === 429) refused += 1
    }
    return refused
  }

  it('is limited over all calls', { timeout: 60_000 }, async () => {
    const api = await start({})
    const { wallet, token } = await registerMember(api)
    const profile = `/api/account/profile?account=${wallet.account}`
    // Each call counts before anything else is looked at, so calls without a token do.
    expect(await countRefused(api, 5_900, '/api/account/profile')).toBe(0)
    expect(await countRefused(api, 100, '/api/account/profile')).toBe(100)
    expect(await countRefused(api, 1, profile, { authorization: `Bearer ${token}` })).toBe(1)
    expect((await api.fetch('/healthz')).status).toBe(200)
  })

  it('may send thousands of invented tokens, and no member behind it is refused', { timeout: 60_000 }, async () => {
    const api = await start({})
    const member = await registerMember(api)
    const { account } = member.wallet
    const invented = { authorization: `Bearer ${'x'.repeat(43)}` }
    expect(await countRefused(api, 2_000, `/api/account/profile?account=${account}`, invented)).toBe(0)
    expect((await api.call('account/profile', { account }, member)).status).toBe(200)
    expect((await api.call('sign/check', { account })).status).toBe(200)
    expect((await api.fetch('/api/pool/chain')).status).toBe(200)
  })

  it('carries 900 sessions that a process sees for the first time, as after every start', async () => {
    const api = await start({})
    // Each account may make 300 calls a minute.
    const members = await Promise.all(Array.from({ length: 4 }, () => registerMember(api)))
    const sessions = Array.from({ length: 900 }, (_, index) => ({
      account: members[index % 4]?.wallet.account ?? '0x',
      token: randomBytes(32).toString('base64url'),
    }))
    await sql`
      insert into lode.session (id, token_hash, member_id, mode)
      select gen_random_uuid(), sha256(token::bytea), member.id, 'full'
      from unnest(${sessions.map(({ token }) => token)}::text[], ${sessions.map(({ account }) => bytesOf(account as Hex))}::bytea[])
        as given (token, account) join lode.member using (account)`.execute(api.db)
    for (const { account, token } of sessions) {
      const headers = { authorization: `Bearer ${token}` }
      const { statusCode } = await api.app.inject({ url: `/api/account/profile?account=${account}`, headers })
      expect(statusCode).toBe(200)
    }
  })

  it('may read what asks the database each time 1,200 times, and other public figures more often', {
    timeout: 60_000,
  }, async () => {
    const api = await start({})
    const member = await registerMember(api)
    expect(await countRefused(api, 1_200, '/api/pool/days')).toBe(0)
    expect(await countRefused(api, 100, '/api/plan/history')).toBe(100)
    // Hundreds of apps behind one address wait for the close of a day.
    expect(await countRefused(api, 2_000, '/api/pool/next-day')).toBe(0)
    expect(await countRefused(api, 10, '/api/pool/chain')).toBe(0)
    expect((await api.call('account/profile', { account: member.wallet.account }, member)).status).toBe(200)
  })

  it('carries many members, each with a limit of its own', async () => {
    const api = await start({})
    const members = await Promise.all(Array.from({ length: 8 }, () => registerMember(api)))
    for (const member of members) {
      const path = `/api/account/profile?account=${member.wallet.account}`
      const headers = { authorization: `Bearer ${member.token}` }
      expect(await countRefused(api, 1, path, headers)).toBe(0)
      expect(await countRefused(api, 100, path, headers)).toBe(0)
    }
  })
})

describe('several processes', () => {
  it('count together in Redis, and each by itself if Redis is unavailable', async () => {
    const redis = await startRedis()
    const database = await createTestDatabase()
    started.push(() => database.drop())
    const [one, other] = [
      await start({ REDIS_URL: redis.url }, database),
      await start({ REDIS_URL: redis.url }, database),
    ]
    await sleep(200)
    expect(await lookUpTimes(one, 6)).not.toContain('rate-limited')
    expect(await lookUpTimes(other, 5)).toEqual([...Array(4).fill('invite-unknown'), 'rate-limited'])

    await redis.stop()
    // This process has counted six itself, so four are left.
    expect(await lookUpTimes(one, 5)).toEqual([...Array(4).fill('invite-unknown'), 'rate-limited'])
    expect(one.logs()).toContain('Redis is unavailable')
  })
})

async function startRedis(): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort()
  const server: ChildProcess = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  started.push(stop)
  for await (const line of server.stdout ?? []) if (String(line).includes('Ready to accept')) break
  return { url: `redis://127.0.0.1:${port}`, stop }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
