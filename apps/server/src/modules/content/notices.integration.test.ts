import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import { startTestApi, type TestApi, testPool } from '../../testing/api.ts'
import { createTestClock } from '../../testing/clock.ts'
import { findErrorCode } from '../../testing/database.ts'
import { registerMember, type TestMember } from '../../testing/member.ts'
import { holdCeremony, type TestOperator } from '../../testing/operators.ts'
import { examplePlanText, publishPlan } from '../../testing/plan.ts'

let api: TestApi
let early: TestMember
let operators: readonly TestOperator[]
beforeAll(async () => {
  api = await startTestApi()
  const { alice, bob } = await holdCeremony(api.db, testPool())
  operators = [alice, bob]
  await publishPlan(api.db, testPool(), operators)
  early = await registerMember(api)
})
afterAll(() => api.close())

const wordsOf = (title: string) => ({ title, body: [`${title}: what happened.`] })
const publish = async (title: string) => {
  const words = { en: wordsOf(title), zh_tw: wordsOf(`公告 ${title}`), zh_cn: wordsOf(`通知 ${title}`) }
  await sql`insert into lode.notice (words) values (${JSON.stringify(words)})`.execute(api.db)
  return title
}
const list = async ({ wallet, token }: TestMember, page: { cursor?: string; limit?: string } = {}) =>
  (await api.call('notice/list', { account: wallet.account, ...page }, { token })).body.data
type Notice = Awaited<ReturnType<typeof list>>['items'][number]
const titleOf = (notice: Notice) => (notice.kind === 'message' ? notice.words.en.title : `plan ${notice.version}`)
const states = async (member: TestMember) => (await list(member)).items.map((item) => [titleOf(item), item.read])
const read = async ({ wallet, token }: TestMember, id: string, also: { andOlder?: boolean } = {}) =>
  (await api.call('notice/read', { account: wallet.account, id, ...also }, { token })).body
/** The id by which this member sees the notice. */
const idOf = async (member: TestMember, title: string) =>
  (await list(member, { limit: '100' })).items.find((item) => titleOf(item) === title)?.id ?? ''
const readTitle = async (member: TestMember, title: string, also: { andOlder?: boolean } = {}) =>
  (await read(member, await idOf(member, title), also)).data

/** These tests run in order and share one list of notices. */
describe('notices', () => {
  const titles: string[] = []

  it('are empty at first', async () => {
    expect(await list(early)).toEqual({ items: [], next: null, unread: 0 })
  })

  it('come newest first, in every language, and unread', async () => {
    for (const title of ['one', 'two', 'three']) titles.push(await publish(title))
    const { items, unread } = await list(early)
    expect(unread).toBe(3)
    expect(items.map(titleOf)).toEqual(titles.toReversed())
    expect(items[0]).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      at: expect.any(String),
      read: false,
      kind: 'message',
      words: { en: wordsOf('three'), zh_tw: wordsOf('公告 three'), zh_cn: wordsOf('通知 three') },
    })
  })

  it('come page by page, and an invalid cursor is refused', async () => {
    const first = await list(early, { limit: '2' })
    expect([first.items.map(titleOf), first.next]).toEqual([
      [titles[2], titles[1]],
      expect.stringMatching(/^[\w-]{22}$/),
    ])
    const second = await list(early, { limit: '2', cursor: first.next ?? '' })
    expect([second.items.map(titleOf), second.next, second.unread]).toEqual([[titles[0]], null, 3])
    const { wallet, token } = early
    const wrong = await api.call('notice/list', { account: wallet.account, cursor: 'x' }, { token })
    expect(wrong.body).toMatchObject({ code: 400, reason: 'format' })
  })

  it('are marked as read one by one, for that member only', async () => {
    const other = await registerMember(api)
    const fourth = await publish('four')
    titles.push(fourth)
    expect(await readTitle(early, titles[1] ?? '')).toEqual({ unread: 3 })
    expect(await readTitle(early, titles[1] ?? '')).toEqual({ unread: 3 })
    expect(await states(early)).toEqual([
      [titles[3], false],
      [titles[2], false],
      [titles[1], true],
      [titles[0], false],
    ])
    // Notices from before a member's registration count as read.
    expect(await states(other)).toEqual([
      [titles[3], false],
      [titles[2], true],
      [titles[1], true],
      [titles[0], true],
    ])
    expect((await list(other)).unread).toBe(1)
  })

  it('are marked as read together with all older ones, but not with newer ones', async () => {
    const shown = titles.at(-1) ?? ''
    const later = await publish('five')
    expect(await readTitle(early, shown, { andOlder: true })).toEqual({ unread: 1 })
    expect((await states(early))[0]).toEqual([later, false])
    expect(await readTitle(early, later)).toEqual({ unread: 0 })
  })

  it('have no row for each member and notice: a mark says up to which one a member has read all', async () => {
    const clock = createTestClock(api.db)
    const reader = await registerMember(api)
    const published: string[] = []
    for (const title of ['six', 'seven', 'eight']) published.push(await publish(title))
    await clock.advance(11 * 60)
    const counts = async () => {
      const { rows } = await sql<{ read: number; marked: string | null }>`
        select (select count(*)::int from lode.notice_read where member_id = member.id) as read,
               (select words -> 'en' ->> 'title' from lode.notice_mark mark join lode.notice on notice.id = mark.notice_id
                where mark.member_id = member.id) as marked
        from lode.member where account = ${bytesOf(reader.wallet.account)}`.execute(api.db)
      return rows[0]
    }
    expect(await readTitle(reader, 'seven')).toEqual({ unread: 2 })
    expect(await counts()).toEqual({ read: 1, marked: 'five' })
    expect((await states(reader)).slice(0, 3)).toEqual([
      ['eight', false],
      ['seven', true],
      ['six', false],
    ])
    expect(await readTitle(reader, 'six')).toEqual({ unread: 1 })
    expect(await counts()).toEqual({ read: 0, marked: 'seven' })
    const newest = await publish('nine')
    expect(await readTitle(reader, newest, { andOlder: true })).toEqual({ unread: 0 })
    // The newest one is beyond the mark for ten minutes.
    expect(await counts()).toEqual({ read: 1, marked: 'eight' })
    expect(await states(reader)).toEqual((await states(reader)).map(([title]) => [title, true]))
    for (const title of [...published, newest]) await readTitle(early, title)
  })

  it('about a false credit are only for the member whose credit it is', async () => {
    const other = await registerMember(api)
    const { rows } = await sql<{ id: bigint; member: bigint }>`
      with decided as (
        insert into lode.decision (subject, verb, body, expires_at)
        values ('posting:0:x', 'reverse', '{}', lode.now() + interval '1 day') returning id)
      select decided.id, member.id as member from decided, lode.member
      where account = decode(substr(${early.wallet.account}, 3), 'hex')`.execute(api.db)
    const { id, member } = rows[0] ?? { id: 0n, member: 0n }
    await sql`insert into lode.reversal (decision_id, transaction, member_id, asset, amount, note)
      values (${id}, 1, ${member}, 'USDT', 300000000, 'no such deposit')`.execute(api.db)
    await sql`insert into lode.notice (member_id, reversal_id) values (${member}, ${id})`.execute(api.db)
    const { items, unread } = await list(early)
    expect([items[0] && titleOf(items[0]), unread]).toEqual(['A credit of 300 USDT will be undone', 1])
    expect((await list(other)).items.map(titleOf)).not.toContain('A credit of 300 USDT will be undone')
    expect((await list(other)).unread).toBe(0)
    expect(await readTitle(early, 'A credit of 300 USDT will be undone')).toEqual({ unread: 0 })
  })

  it('have an id of their own for each member, and another member’s id is refused', async () => {
    const other = await registerMember(api)
    const title = await publish('six')
    const [own, foreign] = [await idOf(early, title), await idOf(other, title)]
    expect(foreign).not.toBe(own)
    for (const id of [foreign, 'A'.repeat(22), '6'])
      expect(await read(early, id)).toMatchObject({ code: 400, reason: 'format' })
    expect((await list(early)).unread).toBe(1)
    expect((await read(early, own)).data).toEqual({ unread: 0 })
  })

  it('are counted as unread up to a hundred', async () => {
    const member = await registerMember(api)
    await sql`
      insert into lode.notice (words)
      select '{"en": {"title": "t", "body": ["b"]}, "zh_tw": {"title": "t", "body": ["b"]}, "zh_cn": {"title": "t", "body": ["b"]}}'
      from generate_series(1, 120)`.execute(api.db)
    const { unread, items } = await list(member, { limit: '100' })
    expect([unread, items.length]).toEqual([100, 100])
    expect((await read(member, items[0]?.id ?? '', { andOlder: true })).data).toEqual({ unread: 0 })
  })

  it('cannot be changed or deleted, even by the owner', async () => {
    for (const statement of [
      `update lode.notice set words = words || '{"en": {}}'`,
      'delete from lode.notice',
      'truncate lode.notice cascade',
    ])
      await expect(sql.raw(statement).execute(api.db)).rejects.toThrow('what was written stays')
  })

  it.each(['lode_api', 'lode_worker', 'lode_signer', 'lode_operator'] as const)(
    'cannot be published with the stolen role %s',
    async (role) => {
      const words = `'{"en": {}, "zh_tw": {}, "zh_cn": {}}'`
      expect(await findErrorCode(api.database, role, `insert into lode.notice (words) values (${words})`)).toBe('42501')
      expect(await findErrorCode(api.database, role, 'insert into lode.notice (plan_version) values (1)')).toBe('42501')
      expect(await findErrorCode(api.database, role, 'select lode.announce_plan()')).toBe('42501')
    },
  )
})

describe('a plan that makes leaving harder', () => {
  const publishPlanOf = (text: string, by = operators) => publishPlan(api.db, testPool(), by, { text })
  const dearer = examplePlanText.replace('"fee": "1"', '"fee": "2"').replace('"closeHour": 12', '"closeHour": 6')
  const newest = async (member: TestMember) => (await list(member, { limit: '1' })).items[0]

  it('is announced automatically at the second signature, with the changes that make leaving harder', async () => {
    const member = await registerMember(api)
    await publishPlanOf(dearer, operators.slice(0, 1))
    expect((await list(member)).unread).toBe(0)
    await publishPlanOf(dearer, operators.slice(1))
    const { unread } = await list(member)
    expect(unread).toBe(1)
    const notice = await newest(member)
    expect(notice).toMatchObject({
      kind: 'plan',
      version: 2,
      standing: 'coming',
      read: false,
      // The closing hour changes too. It is not listed, because it does not make leaving harder.
      changes: [{ path: 'transfer.USDT.fee', before: '1', after: '2' }],
    })
    const week = 7 * 86_400_000
    if (notice?.kind !== 'plan') throw new Error('no notice of the plan')
    expect(Date.parse(notice.startsAt) - Date.parse(notice.at)).toBeGreaterThan(week - 10_000)
    expect((await read(member, notice.id)).data).toEqual({ unread: 0 })
  })

  it('is not announced if leaving stays as easy', async () => {
    const before = await newest(early)
    await publishPlanOf(examplePlanText.replace('"closeHour": 12', '"closeHour": 9'))
    expect((await newest(early))?.id).toBe(before?.id)
  })

  it('that is replaced before it starts is marked as overtaken', async () => {
    expect(await newest(early)).toMatchObject({ kind: 'plan', version: 2, standing: 'overtaken' })
  })

  it('is compared with the plan in force and with the announced plan', async () => {
    const plan = JSON.parse(examplePlanText)
    plan.levels[1].quotas.BTC = '0.015'
    plan.transfer.BTN.min = '2000'
    await publishPlanOf(JSON.stringify(plan))
    expect(await newest(early)).toMatchObject({
      version: 4,
      changes: expect.arrayContaining([
        { path: 'transfer.BTN.min', before: '1000', after: '2000' },
        { path: 'levels.1.quotas.BTC', before: '0.02', after: '0.015' },
      ]),
    })
    // A lower minimum than in the coming plan, but a higher one than in the plan in force.
    plan.transfer.BTN.min = '1500'
    plan.transfer.USDT.max = '40000'
    await publishPlanOf(JSON.stringify(plan))
    expect(await newest(early)).toMatchObject({
      version: 5,
      changes: expect.arrayContaining([
        { path: 'transfer.BTN.min', before: '1000', after: '1500' },
        { path: 'transfer.USDT.max', before: '50000', after: '40000' },
      ]),
    })
  })
})
