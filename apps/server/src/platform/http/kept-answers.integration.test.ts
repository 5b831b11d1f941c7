import { routes } from '@lode/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi, testPool } from '../../testing/api.ts'
import { registerMember } from '../../testing/member.ts'
import { publishFirstPlan } from '../../testing/plan.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  await publishFirstPlan(api.db, testPool())
})
afterAll(() => api.close())

const isPublic = ([, route]: [string, (typeof routes)[keyof typeof routes]]) =>
  route.access === 'open' && route.method === 'GET' && !route.path.startsWith('/sign/')

describe('a public read', () => {
  it.each(Object.entries(routes).filter(isPublic))(
    '%s may be kept by a cache for half a minute, and is not sent again while it is the same',
    async (_name, { path }) => {
      const first = await api.fetch(`/api${path}`)
      expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'public, max-age=30'])
      expect(first.headers.get('set-cookie')).toBeNull()
      const tag = first.headers.get('etag') ?? ''
      expect(tag).toMatch(/^"[\w-]{22}"$/)

      const { data } = (await first.json()) as { data: object }
      // The time of an answer is a part of it.
      if ('at' in data) return
      const again = await api.fetch(`/api${path}`, { headers: { 'if-none-match': `"other",W/${tag}` } })
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag])
      const other = await api.fetch(`/api${path}`, { headers: { 'if-none-match': '"other"' } })
      expect([other.status, await other.json()]).toMatchObject([200, { code: 200 }])
    },
  )

  it('has another tag when its time is another, so that a chain that stands still is noticed', async () => {
    const tagOf = async () => (await api.fetch('/api/plan/current')).headers.get('etag')
    expect(await tagOf()).not.toBe(await tagOf())
  })

  it('is sent again after a change of the secret, because the cursors of its pages are other ones', async () => {
    await sql`
      insert into lode.production_day (day, admitted, above, from_carry, carry, freed, weight, quotient, per_weight, remainder, plan_version)
      select day, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 from generate_series(1, 2) as day`.execute(api.db)
    const path = '/api/pool/days?limit=1'
    const first = await api.fetch(path)
    const after = await startTestApi({ NONCE_SECRET: 'another secret, which is long enough too' }, api.database)
    try {
      const again = await after.fetch(path, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
      expect(again.status).toBe(200)
      const { data } = (await again.json()) as { data: { next: string } }
      expect((await after.fetch(`${path}&cursor=${data.next}`)).status).toBe(200)
    } finally {
      await after.close()
    }
  })

  it('that is refused is kept by nobody', async () => {
    const { status, headers } = await api.fetch('/api/pool/days?limit=many')
    expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual([400, 'no-store', null])
  })
})

describe('Home', () => {
  it('is sent again only after a change, whatever the time is, and is kept by no cache', async () => {
    const member = await registerMember(api)
    const read = async (tag?: string) => {
      const path = `/api/account/home?account=${member.wallet.account}&_t=${Math.random()}`
      const headers = {
        authorization: `Bearer ${member.token}`,
        ...(tag === undefined ? {} : { 'if-none-match': tag }),
      }
      const answer = await api.fetch(path, { headers })
      expect(answer.headers.get('cache-control')).toBe('no-store')
      return {
        status: answer.status,
        tag: answer.headers.get('etag') ?? '',
        at: Date.parse(answer.headers.get('x-at') ?? ''),
      }
    }
    const first = await read()
    expect(first.status).toBe(200)
    const again = await read(first.tag)
    expect(again).toMatchObject({ status: 304, tag: first.tag })
    expect(again.at).toBeGreaterThan(first.at)

    const { account } = member.wallet
    const setUp = { account, setupCode: member.setupCode, newPassword: '271828' }
    expect((await api.call('account/fund-password', setUp, member)).status).toBe(200)
    const changed = await read(first.tag)
    expect(changed.status).toBe(200)
    expect(changed.tag).not.toBe(first.tag)
  })

  it('of another member is never taken for one’s own', async () => {
    const [one, other] = [await registerMember(api), await registerMember(api)]
    const headers = { authorization: `Bearer ${other.token}` }
    const answer = await api.fetch(`/api/account/home?account=${one.wallet.account}`, { headers })
    expect([answer.status, answer.headers.get('etag')]).toEqual([403, null])
  })
})
