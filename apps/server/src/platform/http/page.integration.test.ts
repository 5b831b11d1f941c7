import { type RouteName, routes } from '@lode/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { registerMember, type TestMember } from '../../testing/member.ts'
import { createTestWallet } from '../../testing/wallet.ts'

let api: TestApi
let sponsor: TestMember
let other: TestMember
beforeAll(async () => {
  api = await startTestApi()
  sponsor = await registerMember(api)
  other = await registerMember(api)
  for (const { wallet, token } of [sponsor, sponsor, sponsor, other, other]) {
    const { body } = await api.call('account/profile', { account: wallet.account }, { token })
    await registerMember(api, createTestWallet(), body.data.inviteCode)
  }
})
afterAll(() => api.close())

/** The fields that a list needs besides the page. */
const REQUIRED: Partial<Record<RouteName, Record<string, string>>> = {
  'order/list': { type: '1' },
  'wallet/log': { symbol: 'USDT' },
}

const lists = Object.entries(routes)
  .filter(([, { request }]) => 'cursor' in request.shape)
  .map(([name, { path }]) => ({ name: name as RouteName, path }))

const readList = async ({ name, path }: (typeof lists)[number], { wallet, token }: TestMember, cursor: string) => {
  const member = routes[name].access === 'open' ? {} : { account: wallet.account }
  const query = new URLSearchParams({ ...member, ...REQUIRED[name], cursor })
  const answer = await api.fetch(`/api${path}?${query}`, { headers: { authorization: `Bearer ${token}` } })
  return { status: answer.status, reason: ((await answer.json()) as { reason?: string }).reason }
}

const invitations = (from: TestApi, { wallet, token }: TestMember, cursor?: string) =>
  from.call('team/invitations', { account: wallet.account, limit: '1', ...(cursor && { cursor }) }, { token })

const firstCursor = async (member: TestMember) => (await invitations(api, member)).body.data.next ?? ''

describe('the cursors of lists', () => {
  it('are refused by every list if they are made up: a row number, a number of a day, random characters', async () => {
    expect(lists.length).toBeGreaterThanOrEqual(12)
    for (const list of lists)
      for (const cursor of ['1', '20000', '999999999999', 'A'.repeat(22), '0'.repeat(22), 'x'])
        expect([list.name, cursor, await readList(list, sponsor, cursor)]).toEqual([
          list.name,
          cursor,
          { status: 400, reason: 'format' },
        ])
  })

  it('are refused by every other list, and for every other member', async () => {
    const cursor = await firstCursor(sponsor)
    for (const list of lists) {
      const accepted = list.name === 'team/invitations'
      expect([list.name, (await readList(list, sponsor, cursor)).status]).toEqual([list.name, accepted ? 200 : 400])
      expect([list.name, (await readList(list, other, cursor)).status]).toEqual([list.name, 400])
    }
  })

  it('lead through the whole list, also when another api process answers', async () => {
    const second = await startTestApi({}, api.database)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { data } = (await invitations(seen.length % 2 === 0 ? api : second, sponsor, cursor)).body
      seen.push(...data.items.map(({ id }) => id))
      cursor = data.next ?? undefined
    } while (cursor !== undefined)
    await second.close()
    expect([seen.length, new Set(seen).size]).toEqual([3, 3])
  })
})
