import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { logIn, registerMember, type TestMember } from '../../testing/member.ts'
import { sessionIsAlive } from './queries.ts'

const MINUTE = 60

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

/** `idleSeconds` is what a background refresh reports. Without it the call counts as an action of the member. */
async function isCallAccepted(
  { wallet, token }: Pick<TestMember, 'wallet' | 'token'>,
  idleSeconds?: number,
): Promise<boolean> {
  const headers: Record<string, string> = idleSeconds === undefined ? {} : { 'x-idle-seconds': String(idleSeconds) }
  const { status } = await api.call('account/profile', { account: wallet.account }, { token, headers })
  expect([200, 401]).toContain(status)
  return status === 200
}

/** Changes whenever the row is updated. */
async function rowVersion({ token }: TestMember): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select xmin::text as version from lode.session where token_hash = sha256(${token}::bytea)`.execute(api.db)
  return rows[0]?.version ?? ''
}

describe('a session', () => {
  it('ends thirty minutes after the member’s last action', async () => {
    const member = await registerMember(api)
    await api.clock.advance(30 * MINUTE - 2)
    expect(await isCallAccepted(member)).toBe(true)
    await api.clock.advance(30 * MINUTE - 2)
    expect(await isCallAccepted(member)).toBe(true)
    await api.clock.advance(30 * MINUTE + 1)
    expect(await isCallAccepted(member)).toBe(false)
    expect(await isCallAccepted(member)).toBe(false)
  })

  it.each([
    ['30 minutes after the last action', 'last_action_at', 30],
    ['12 hours after the sign-in', 'created_at', 12 * 60],
  ] as const)('ends exactly %s', async (_what, column, minutes) => {
    const { token } = await registerMember(api)
    /** Whether the session is alive this long after the time in the column, in one transaction with one time. */
    const isAliveAfter = (milliseconds: number) =>
      api.db.transaction().execute(async (trx) => {
        await sql`
          update lode.session set ${sql.ref(column)} = lode.now() - make_interval(secs => ${milliseconds / 1_000})
          where token_hash = sha256(${token}::bytea)`.execute(trx)
        const { rows } = await sql`
          select from lode.session where token_hash = sha256(${token}::bytea) and ${sessionIsAlive}`.execute(trx)
        return rows.length === 1
      })
    expect(await isAliveAfter(minutes * 60_000 - 1)).toBe(true)
    expect(await isAliveAfter(minutes * 60_000)).toBe(false)
  })

  it('is not kept alive by background refreshes', async () => {
    const member = await registerMember(api)
    for (let minutes = 5; minutes < 30; minutes += 5) {
      await api.clock.advance(5 * MINUTE)
      expect(await isCallAccepted(member, minutes * MINUTE)).toBe(true)
    }
    await api.clock.advance(5 * MINUTE + 1)
    expect(await isCallAccepted(member, 30 * MINUTE)).toBe(false)
  })

  it('counts from the last action that a background refresh reports', async () => {
    const member = await registerMember(api)
    await api.clock.advance(20 * MINUTE)
    expect(await isCallAccepted(member, 5 * MINUTE)).toBe(true)
    await api.clock.advance(24 * MINUTE)
    expect(await isCallAccepted(member, 29 * MINUTE)).toBe(true)
    await api.clock.advance(2 * MINUTE)
    expect(await isCallAccepted(member)).toBe(false)
  })

  it('cannot be shortened or extended by a false idle time of the client', async () => {
    const member = await registerMember(api)
    await api.clock.advance(10 * MINUTE)
    expect(await isCallAccepted(member)).toBe(true)
    expect(await isCallAccepted(member, 9 * MINUTE)).toBe(true)
    for (const hostile of ['-100000', '1e9', 'NaN', '٣', '999999999999']) {
      const headers = { 'x-idle-seconds': encodeURIComponent(hostile) }
      const { status } = await api.call('account/profile', { account: member.wallet.account }, { ...member, headers })
      expect(status).toBe(200)
    }
    await api.clock.advance(30 * MINUTE - 5)
    expect(await isCallAccepted(member, 0)).toBe(true)
    await api.clock.advance(30 * MINUTE + 1)
    expect(await isCallAccepted(member, 0)).toBe(false)
  })

  it('ends twelve hours after the sign-in, even if the member stays active', async () => {
    const member = await registerMember(api)
    for (let minutes = 25; minutes < 12 * 60; minutes += 25) {
      await api.clock.advance(25 * MINUTE)
      expect(await isCallAccepted(member)).toBe(true)
    }
    await api.clock.advance(20 * MINUTE + 1)
    expect(await isCallAccepted(member)).toBe(false)
  })

  it('updates its row at most once a minute', async () => {
    const member = await registerMember(api)
    const versions = new Set<string>()
    for (let seconds = 0; seconds <= 3 * MINUTE; seconds += 10) {
      expect(await isCallAccepted(member)).toBe(true)
      versions.add(await rowVersion(member))
      await api.clock.advance(10)
    }
    expect(versions.size).toBe(4)
  })

  it('does not affect other sessions of the same member', async () => {
    const member = await registerMember(api)
    await api.clock.advance(20 * MINUTE)
    const other = { wallet: member.wallet, token: (await logIn(api, member.wallet)).body.data.token }
    await api.clock.advance(15 * MINUTE)
    expect(await isCallAccepted(member)).toBe(false)
    expect(await isCallAccepted(other)).toBe(true)
  })

  it('is one of at most twenty: the twenty-first replaces the oldest', async () => {
    const member = await registerMember(api)
    const tokens = [member.token]
    for (let device = 2; device <= 21; device += 1) tokens.push((await logIn(api, member.wallet)).body.data.token)
    const alive = await Promise.all(tokens.map((token) => isCallAccepted({ wallet: member.wallet, token })))
    expect(alive).toEqual([false, ...Array(20).fill(true)])
  })
})
