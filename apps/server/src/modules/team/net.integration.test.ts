import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressFromColumn, addressTail, bytesOf } from '../../platform/chain/hex-column.ts'
import { createOpaqueIds } from '../../platform/http/opaque-ids.ts'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { logIn, registerMember, type TestMember } from '../../testing/member.ts'
import { createTestWallet } from '../../testing/wallet.ts'
import { placeMember } from './index.ts'
import { readInvitations, readNet } from './queries.ts'
import { addActivation, addPerformance } from './testing/add-activation.ts'
import { NaiveTeam } from './testing/naive-team.ts'
import { insertMembers } from './testing/places.ts'

describe('the net that a member can open', { timeout: 120_000 }, () => {
  let database: TestDatabase
  const team = new NaiveTeam()
  const tails = new Map<string, number>()
  const ids = createOpaqueIds('a secret of this test', 'test')
  const MEMBERS = 900

  beforeAll(async () => {
    database = await createTestDatabase()
    // A deep and broad tree: the first ten members are a chain, the next are invited by one of the first twenty. The
    // first member invites the last 400: more than the 363 places of five layers.
    const sponsorOf = (index: number) => {
      if (index === 0) return null
      if (index < 10) return index
      return index < MEMBERS - 400 ? 1 + Math.floor(Math.random() * Math.min(index, 20)) : 1
    }
    const sponsors = Array.from({ length: MEMBERS }, (_, index) => sponsorOf(index))
    await insertMembers(database.db, sponsors)
    for (const [index, sponsor] of sponsors.entries()) {
      team.place(index + 1, sponsor)
      await database.db.transaction().execute((trx) => placeMember(trx, BigInt(index + 1)))
      if (index % 3 === 0) {
        team.activate(index + 1)
        await addActivation(database.db, BigInt(index + 1))
      }
    }
    const { rows } = await sql<{ id: bigint; account: Buffer }>`select id, account from lode.member`.execute(
      database.db,
    )
    for (const { id, account } of rows) tails.set(addressTail(addressFromColumn(account)), Number(id))
  }, 120_000)
  afterAll(() => database.drop())

  /** Every member that can be opened from here, with the layer in which it was found. */
  async function walk(viewer: number, root = viewer, layer = 0, met = new Map<number, number>()) {
    const net = await readNet(database.db, BigInt(viewer), BigInt(root), ids)
    if (!net.ok) throw new Error(`${root} was shown to ${viewer} but is refused`)
    expect(net.value.path.map(({ tail }) => tails.get(tail)).at(-1) ?? viewer).toBe(root)
    expect(net.value.path.length).toBe(layer)
    const below = team.layersBelow(root).slice(0, 5 - layer)
    const inAreas = team.get(root).below.map((head) => {
      const area = head === null ? [] : [[head], ...team.layersBelow(head)].slice(0, Math.max(0, 5 - layer)).flat()
      return { headcount: area.length, activated: area.filter((id) => team.get(id).activated).length }
    })
    expect(net.value.areas.map(({ headcount, activated }) => ({ headcount, activated }))).toEqual(inAreas)
    expect(net.value.areas.reduce((sum, { headcount }) => sum + headcount, 0)).toBe(below.flat().length)
    for (const [index, { branch, head }] of net.value.areas.entries()) {
      const expected = layer < 5 ? team.get(root).below[index] : null
      expect(head && tails.get(head.tail)).toBe(expected ?? null)
      if (!head || !expected) continue
      expect(head).toMatchObject({ branch, activated: team.get(expected).activated })
      const states = team
        .get(expected)
        .below.map((id) => (id === null ? 'open' : team.get(id).activated ? 'activated' : 'member'))
      expect(head.below).toEqual(layer < 4 ? states : [])
      expect(ids.decode(BigInt(viewer), head.id)).toBe(BigInt(expected))
      met.set(expected, layer + 1)
      await walk(viewer, expected, layer + 1, met)
    }
    return met
  }

  it.each([1, 2, 5, 9, 17, 40])('is the own five layers and nothing else: member %i', async (viewer) => {
    const met = await walk(viewer)
    const expected = new Map(team.layersBelow(viewer).flatMap((layer, index) => layer.map((id) => [id, index + 1])))
    expect(new Map(Array.from(met).toSorted(([one], [other]) => one - other))).toEqual(
      new Map(Array.from(expected).toSorted(([one], [other]) => one - other)),
    )
  })

  it.each([1, 3, 6, 12, 33])('excludes every member outside the five layers: member %i', async (viewer) => {
    const own = new Set([viewer, ...team.layersBelow(viewer).flat()])
    for (let root = 1; root <= MEMBERS; root += 1) {
      const net = await readNet(database.db, BigInt(viewer), BigInt(root), ids)
      expect({ root, told: net.ok }).toEqual({ root, told: own.has(root) })
      if (!net.ok) expect(net.error).toBe('team-node-unknown')
    }
    for (const nobody of [0n, -1n, BigInt(MEMBERS + 1), 2n ** 62n])
      expect((await readNet(database.db, BigInt(viewer), nobody, ids)).ok).toBe(false)
  })

  it('opens from an invitation only in the own five layers', async () => {
    const found = { inside: 0, below: 0 }
    for (const viewer of [1, 2, 5, 9, 17]) {
      const own = new Set(team.layersBelow(viewer).flat())
      const secrets = { invitationIds: ids, nodeIds: ids }
      const { items } = await readInvitations(database.db, BigInt(viewer), { limit: MEMBERS }, secrets)
      for (const { id, node } of items) {
        const isInside = own.has(Number(ids.decode(BigInt(viewer), id)))
        expect(node).toBe(isInside ? id : null)
        found[isInside ? 'inside' : 'below'] += 1
      }
    }
    expect(found.inside).toBeGreaterThan(0)
    expect(found.below).toBeGreaterThan(0)
  })
})

describe('the team calls', { timeout: 60_000 }, () => {
  let api: TestApi
  let sponsor: TestMember
  const invited: TestMember[] = []
  beforeAll(async () => {
    api = await startTestApi()
    sponsor = await registerMember(api)
    const code = await codeOf(sponsor)
    for (let count = 0; count < 5; count += 1) invited.push(await registerMember(api, createTestWallet(), code))
    const second = await idOf(invited[1])
    await addActivation(api.db, second)
    await addPerformance(api.db, second, 100_000_000n)
  }, 60_000)
  afterAll(() => api.close())

  const idOf = async (member: TestMember | undefined) => {
    const account = bytesOf(member?.wallet.account ?? '0x')
    const { rows } = await sql<{ id: bigint }>`select id from lode.member where account = ${account}`.execute(api.db)
    if (!rows[0]) throw new Error('the member is not registered')
    return rows[0].id
  }
  const codeOf = async ({ wallet, token }: TestMember) =>
    (await api.call('account/profile', { account: wallet.account }, { token })).body.data.inviteCode
  const net = ({ wallet, token }: TestMember, root?: string) =>
    api.call('team/net', { account: wallet.account, ...(root === undefined ? {} : { root }) }, { token })

  it('return the team overview', async () => {
    const { wallet, token } = sponsor
    const { body } = await api.call('team/overview', { account: wallet.account }, { token })
    expect(body.data).toEqual({
      level: 0,
      activated: false,
      effectiveInvites: 1,
      activeTeams: 1,
      performance: '100',
      layers: [
        { headcount: 3, activated: 1, capacity: 3 },
        { headcount: 2, activated: 0, capacity: 9 },
        { headcount: 0, activated: 0, capacity: 27 },
        { headcount: 0, activated: 0, capacity: 81 },
        { headcount: 0, activated: 0, capacity: 243 },
      ],
      threeLayers: { headcount: 5, capacity: 39, full: false },
      fiveLayers: { headcount: 5, capacity: 363, full: false },
      areas: [
        { branch: 'left', headcount: 3, activated: 0 },
        { branch: 'center', headcount: 1, activated: 1 },
        { branch: 'right', headcount: 1, activated: 0 },
      ],
    })
  })

  it('open the net downward by opaque ids, and show no member number or address', async () => {
    const { body } = await net(sponsor)
    const left = body.data.areas[0]?.head
    expect(left).toMatchObject({
      tail: addressTail(invited[0]?.wallet.account ?? '0x'),
      below: ['member', 'member', 'open'],
    })
    const below = await net(sponsor, left?.id)
    expect(below.body.data.path.map(({ tail }) => tail)).toEqual([left?.tail])
    expect(below.body.data.areas.map(({ head }) => head?.tail)).toEqual([
      addressTail(invited[3]?.wallet.account ?? '0x'),
      addressTail(invited[4]?.wallet.account ?? '0x'),
      undefined,
    ])
    expect(JSON.stringify([body.data, below.body.data])).not.toMatch(/0x[0-9a-f]/i)
  })

  it('refuse an opaque id of another viewer, an invented one and an invalid one', async () => {
    const root = { wallet: api.root, token: (await logIn(api, api.root)).body.data.token, setupCode: '' }
    const told = (await net(sponsor)).body.data.areas[0]?.head?.id ?? ''
    // The first member stands above the same member and may look at it, but not with this id.
    const own = (await net(root, (await net(root)).body.data.areas[0]?.head?.id)).body.data.areas[0]?.head
    expect(own?.tail).toBe(addressTail(invited[0]?.wallet.account ?? '0x'))
    expect(own?.id).not.toBe(told)
    const refused = await net(root, told)
    expect([refused.status, refused.body.reason]).toEqual([404, 'team-node-unknown'])
    expect((await net(sponsor, own?.id)).body.reason).toBe('team-node-unknown')
    expect((await net(sponsor, 'A'.repeat(22))).body.reason).toBe('team-node-unknown')
    expect((await net(sponsor, '1')).body.reason).toBe('format')
  })

  it('are found in the five layers by the whole address or its last six digits, and nobody else is', async () => {
    const find = ({ wallet, token }: TestMember, text: string) =>
      api.call('team/net', { account: wallet.account, find: text }, { token })
    const account = invited[3]?.wallet.account ?? '0x'
    for (const text of [account, account.toLowerCase(), account.slice(-6), account.slice(-6).toUpperCase()])
      expect((await find(sponsor, text)).body.data.path.at(-1)?.tail).toBe(addressTail(account))
    // Above the viewer, not registered, and the viewer: the same answer.
    for (const other of [api.root.account, createTestWallet().account, sponsor.wallet.account])
      expect((await find(sponsor, other)).body.reason).toBe('team-node-unknown')
    // A part of an address would let a viewer guess the rest digit by digit.
    for (const part of [account.slice(-7), account.slice(-39), '']) expect((await find(sponsor, part)).status).toBe(400)
  })

  it('open from the list of invitations', async () => {
    const { wallet, token } = sponsor
    const { items } = (await api.call('team/invitations', { account: wallet.account }, { token })).body.data
    for (const { node, tail } of items)
      expect((await net(sponsor, node ?? undefined)).body.data.path.at(-1)?.tail).toBe(tail)
  })

  it('list whom the member invited, newest first, page by page', async () => {
    const { wallet, token } = sponsor
    const tailsOf = async (cursor?: string) => {
      const page = { account: wallet.account, limit: '2', ...(cursor === undefined ? {} : { cursor }) }
      return (await api.call('team/invitations', page, { token })).body.data
    }
    const pages = [await tailsOf()]
    for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) pages.push(await tailsOf(next))
    expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 1])
    const items = pages.flatMap((page) => page.items)
    expect(items.map(({ tail }) => tail)).toEqual(invited.map((each) => addressTail(each.wallet.account)).toReversed())
    expect(items.map(({ activated }) => activated)).toEqual([false, false, false, true, false])
    expect(new Set(items.map(({ id }) => id)).size).toBe(5)

    const [other] = invited
    const stolen = { account: other?.wallet.account ?? '', cursor: pages[0]?.next ?? '' }
    expect((await api.call('team/invitations', stolen, { token: other?.token ?? '' })).body.reason).toBe('format')
    const { token: ownToken = '', wallet: ownWallet } = other ?? {}
    const none = await api.call('team/invitations', { account: ownWallet?.account ?? '' }, { token: ownToken })
    expect(none.body.data).toEqual({ items: [], next: null })
  })

  it('are refused in an exit session', async () => {
    const leaving = await registerMember(api)
    await sql`update lode.member set disabled_at = lode.now() where account = ${bytesOf(leaving.wallet.account)}`.execute(
      api.db,
    )
    const { token } = (await logIn(api, leaving.wallet, { exit: true })).body.data
    for (const name of ['team/overview', 'team/net', 'team/invitations'] as const)
      expect((await api.call(name, { account: leaving.wallet.account }, { token })).body.reason).toBe('exit-only')
  })
})
