import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi, testEnvironment } from '../../testing/api.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { registerMember, requestAndSign } from '../../testing/member.ts'
import { startServerProcess } from '../../testing/process.ts'
import { createTestWallet } from '../../testing/wallet.ts'
import { placeMember, teamFindings } from './index.ts'
import { addActivation, addPerformance } from './testing/add-activation.ts'
import { insertMembers, readStoredPlaces } from './testing/places.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  // A chain of eight, each invited by the one before, and one more whom the first member invited.
  await insertMembers(database.db, [null, 1, 2, 3, 4, 5, 6, 7, 1])
  for (let id = 1n; id <= 9n; id += 1n) await place(id)
})
afterAll(() => database.drop())

const place = (id: bigint) => database.db.transaction().execute((trx) => placeMember(trx, id))

const readStoredPlace = async (id: number) => (await readStoredPlaces(database.db)).find((place) => place.id === id)

describe('the tree', () => {
  it('counts an activation for the five above and for the sponsor, once', async () => {
    expect(await addActivation(database.db, 8n)).toBe(true)
    expect(await addActivation(database.db, 8n)).toBe(false)
    const counted = async (id: number) =>
      (await readStoredPlace(id))?.activatedCounts.reduce((sum, count) => sum + count, 0)
    expect(await Promise.all([7, 6, 5, 4, 3].map(counted))).toEqual([1, 1, 1, 1, 1])
    expect(await Promise.all([1, 2, 8, 9].map(counted))).toEqual([0, 0, 0, 0])
    expect((await readStoredPlace(7))?.effectiveInvites).toBe(1)
    expect((await readStoredPlace(6))?.effectiveInvites).toBe(0)
    expect(await teamFindings(database.db)).toEqual([])
  })

  it('adds a payment to the performance of the five above, exactly', async () => {
    await addPerformance(database.db, 7n, 123_456_789_012_345_678_901_234n)
    await addPerformance(database.db, 7n, 1n)
    const performances = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7].map(async (id) => (await readStoredPlace(id))?.performance),
    )
    expect(performances).toEqual(['0', ...Array(5).fill('123456789012345678901235'), '0'])
  })

  it('refuses an invalid amount, and a member without a place', async () => {
    for (const amount of ['-1', '0.5', 'null'])
      await expect(sql`select lode.add_activation(7, ${sql.raw(amount)})`.execute(database.db)).rejects.toThrow('team')
    for (const amount of ['0', '-1', '0.5', 'null'])
      await expect(sql`select lode.add_performance(7, ${sql.raw(amount)})`.execute(database.db)).rejects.toThrow('team')
    await expect(addActivation(database.db, 999n)).rejects.toThrow('no place')
    await expect(addPerformance(database.db, 999n, 1n)).rejects.toThrow()
  })
})

describe('a place', () => {
  it('is taken once: a member cannot be placed twice, or below a sponsor without a place', async () => {
    await expect(place(5n)).rejects.toThrow('team_place_pkey')
    const { rows } = await sql<{ id: bigint }>`
      insert into lode.member (account, invite_code, sponsor_id, lang)
      select substring(sha256(convert_to('lost' || n, 'UTF8')) for 20), 'Z000000' || n, 9, 'en' from generate_series(1, 2) n
      returning id`.execute(database.db)
    const [unplaced, below] = rows.map(({ id }) => id)
    await sql`update lode.member set sponsor_id = ${unplaced} where id = ${below}`.execute(database.db)
    await expect(place(below ?? 0n)).rejects.toThrow('has no place')
    await sql`delete from lode.member where id in (${below}, ${unplaced})`.execute(database.db)
  })

  it('is needed by everybody whom the api registers, in the same transaction', async () => {
    const client = new pg.Client({ connectionString: database.urlOf('lode_api') })
    await client.connect()
    const insert = `
      insert into lode.member (account, invite_code, sponsor_id, lang)
      values ('\\x3333333333333333333333333333333333333333', 'Z0000003', 9, 'en') returning id`
    try {
      await expect(client.query(insert)).rejects.toThrow('has no place')
      await client.query('begin')
      const { rows } = await client.query<{ id: string }>(insert)
      await client.query('select lode.place_member($1)', [rows[0]?.id])
      await client.query('commit')
      expect(await teamFindings(database.db)).toEqual([])
    } finally {
      await client.end()
    }
  })

  it.each([
    ['moved', 'update lode.team_place set parent_id = 1, branch = 2 where member_id = 3'],
    ['deleted', 'delete from lode.team_place where member_id = 9'],
    ['chosen', 'insert into lode.team_place (member_id, parent_id, branch) values (9, 1, 3)'],
    ['counted directly', 'update lode.team_place set performance = 1'],
    ['truncated', 'truncate lode.team_place'],
  ])('cannot be %s by a process’s database role', async (_what, statement) => {
    for (const role of ['lode_api', 'lode_worker', 'lode_signer'] as const) {
      const client = new pg.Client({ connectionString: database.urlOf(role) })
      await client.connect()
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' })
      await client.end()
    }
  })

  it('is given only by the api; no process changes its counts directly, and the signer cannot read it', async () => {
    for (const [role, statement] of [
      ['lode_api', 'select lode.add_activation(9)'],
      ['lode_api', 'select lode.add_performance(9, 1)'],
      ['lode_worker', 'select lode.add_activation(9)'],
      ['lode_worker', 'select lode.add_performance(9, 1)'],
      ['lode_worker', 'select from lode.place_member(9)'],
      ['lode_signer', 'select from lode.place_member(9)'],
      ['lode_signer', 'select lode.add_activation(9)'],
      ['lode_signer', 'select lode.add_performance(9, 1)'],
      ['lode_signer', 'select from lode.team_place'],
    ] as const) {
      const client = new pg.Client({ connectionString: database.urlOf(role) })
      await client.connect()
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' })
      await client.end()
    }
  })
})

describe('members who were placed before depths were stored', () => {
  it('get their depth from the migration', async () => {
    const old = await createTestDatabase()
    const { db } = old
    const sponsors = Array.from({ length: 400 }, (_, index) =>
      index === 0 ? null : 1 + ((index * 7) % Math.min(index, 40)),
    )
    await insertMembers(db, sponsors)
    await sql`select lode.place_member(id) from (select id from lode.member order by id) as member`.execute(db)
    expect(await teamFindings(db)).toEqual([])

    await sql`update lode.team_place set depth = 77 where depth > 0`.execute(db)
    expect(await teamFindings(db)).toContainEqual(expect.stringContaining('has a wrong depth'))
    const migration = await readFile(new URL('../../migrations/0710_team_depth.sql', import.meta.url), 'utf8')
    await sql.raw(/^with recursive down .*?;$/ms.exec(migration)?.[0] ?? '').execute(db)
    expect(await teamFindings(db)).toEqual([])
    await old.drop()
  })
})

describe('a registration', { timeout: 90_000 }, () => {
  let api: TestApi
  let faults: string
  beforeAll(async () => {
    api = await startTestApi()
    faults = await mkdtemp(join(tmpdir(), 'lode-faults-'))
  })
  afterAll(async () => {
    await api.close()
    await rm(faults, { recursive: true, force: true })
  })

  const state = async () => {
    const { rows } = await sql`
      select (select count(*)::int from lode.member) as members, (select count(*)::int from lode.team_place) as places,
             (select open_depths from lode.team_place where parent_id is null) as open_depths,
             (select headcounts[1:3] from lode.team_place where parent_id is null) as first_layer`.execute(api.db)
    return rows[0]
  }

  it('that is killed before its commit leaves no trace, and takes the same place on a retry', async () => {
    await registerMember(api)
    const before = await state()
    const dying = startServerProcess('api', { ...testEnvironment(api.database), LOG_LEVEL: 'info', FAULTS: faults })
    await dying.waitForOutput('Server listening')
    const url = /Server listening at (http:[^"]+)/.exec(dying.output())?.[1]
    await writeFile(join(faults, 'api-before-commit'), '')
    const wallet = createTestWallet()
    const posted = { ...(await requestAndSign(api, wallet, api.rootCode)), invite: api.rootCode, lang: 'en' }
    const post = fetch(`${url}/api/sign/regist`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(posted),
    })
    await expect(post).rejects.toThrow('fetch failed')
    expect(await dying.ended).toBe('SIGKILL')

    expect(await state()).toEqual(before)
    await registerMember(api, wallet)
    expect(await state()).toEqual({ members: 3, places: 3, open_depths: [2, 2, 1], first_layer: [1, 1, 0] })
    expect(await teamFindings(api.db)).toEqual([])
  })

  it('that is refused takes no place', async () => {
    const wallet = createTestWallet()
    const posted = { ...(await requestAndSign(api, wallet, api.rootCode)), invite: api.rootCode, lang: 'en' as const }
    expect((await api.call('sign/regist', posted)).status).toBe(200)
    expect((await api.call('sign/regist', posted)).body.reason).toBe('signature-used')
    expect(await state()).toEqual({ members: 4, places: 4, open_depths: [2, 2, 2], first_layer: [1, 1, 1] })
  })
})
