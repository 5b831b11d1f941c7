import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { codeNamed } from '../../modules/ledger/index.ts'
import { migrate } from '../../processes/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { clockCanBeShifted, readClock } from '../clock/clock.ts'
import { readFunctionFiles } from './function-files.ts'
import { findMissingMigrations } from './migrate.ts'

const made: TestDatabase[] = []
afterEach(async () => {
  for (const database of made.splice(0)) await database.drop()
})

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ empty: true })
  made.push(database)
  return database
}

/** All migrations, in the order of their numbers. */
const all = readdirSync(new URL('../../migrations/', import.meta.url))
  .map((file) => file.replace(/\.sql$/, ''))
  .toSorted()

describe('migrating', () => {
  it('brings an empty database to the present schema, and does nothing the second time', async () => {
    const { db, ownerUrl } = await emptyDatabase()
    const applied = await migrate({ ownerUrl, profile: 'test' })
    expect(applied).toEqual({
      migrations: all,
      functions: (await readFunctionFiles(codeNamed)).map(({ name }) => name),
    })
    expect(await findMissingMigrations(db)).toEqual([])
    expect(await migrate({ ownerUrl, profile: 'test' })).toEqual({ migrations: [], functions: [] })
  })

  it('is done once by two runs at the same time', async () => {
    const { db, ownerUrl } = await emptyDatabase()
    const [one, other] = await Promise.all([
      migrate({ ownerUrl, profile: 'test' }),
      migrate({ ownerUrl, profile: 'test' }),
    ])
    expect([...one.migrations, ...other.migrations].toSorted()).toEqual(all)
    expect(await findMissingMigrations(db)).toEqual([])
  })

  it('can run in several databases of one server at once, which share the roles', async () => {
    const databases = await Promise.all(Array.from({ length: 4 }, emptyDatabase))
    await Promise.all(
      databases.map(({ ownerUrl }) => migrate({ ownerUrl, profile: 'test', rolePassword: 'of-this-test' })),
    )
    for (const { db } of databases) expect(await findMissingMigrations(db)).toEqual([])
  })

  it('rolls back a migration that fails', async () => {
    const { db, ownerUrl } = await emptyDatabase()
    await sql`create schema lode`.execute(db)
    await sql`create table lode.session (mine int)`.execute(db)
    await expect(migrate({ ownerUrl, profile: 'test' })).rejects.toThrow('relation "session" already exists')
    expect(await findMissingMigrations(db)).toEqual(all.slice(all.indexOf('0003_identity')))
    expect((await sql`select to_regclass('lode.member') as member`.execute(db)).rows).toEqual([{ member: null }])
  })
})

describe('the clock', () => {
  it('can be shifted in development and test', async () => {
    const { db, ownerUrl } = await emptyDatabase()
    await migrate({ ownerUrl, profile: 'development' })
    const before = await readClock(db)
    await sql`update lode.clock set shift = interval '40 days'`.execute(db)
    const days = ((await readClock(db)).getTime() - before.getTime()) / 86_400_000
    expect(Math.round(days)).toBe(40)
    expect(await clockCanBeShifted(db)).toBe(true)
  })

  it('is PostgreSQL’s own in production, and cannot be shifted', async () => {
    const { db, ownerUrl } = await emptyDatabase()
    await migrate({ ownerUrl, profile: 'production' })
    expect(await clockCanBeShifted(db)).toBe(false)
    const { rows } = await sql`
      select lode.now() = now() as same, to_regclass('lode.clock') as clock`.execute(db)
    expect(rows).toEqual([{ same: true, clock: null }])
  })

  it('counts as shiftable in production if somebody replaced it', async () => {
    const { db, ownerUrl } = await emptyDatabase()
    await migrate({ ownerUrl, profile: 'production' })
    await sql`create or replace function lode.now() returns timestamptz language sql stable
      return pg_catalog.now() - interval '1 second'`.execute(db)
    expect(await clockCanBeShifted(db)).toBe(true)
  })
})

describe('the constraints of the tables', () => {
  it('refuse a second root, a circle of sponsors, an address of another length and an invalid code', async () => {
    const { db, ownerUrl } = await emptyDatabase()
    await migrate({ ownerUrl, profile: 'test' })
    const insert = (account: string, code: string, sponsor: string) =>
      sql`insert into lode.member (account, invite_code, sponsor_id, lang)
          values (decode(${account}, 'hex'), ${code}, ${sponsor}::bigint, 'en')`.execute(db)
    const root = sql`insert into lode.member (account, invite_code, lang)
          values (decode(${'11'.repeat(20)}, 'hex'), '00000000', 'en')`
    await root.execute(db)
    const second = sql`insert into lode.member (account, invite_code, lang)
          values (decode(${'22'.repeat(20)}, 'hex'), '00000001', 'en')`
    await expect(second.execute(db)).rejects.toThrow('member_one_root')
    await expect(insert('22'.repeat(20), '0000000B', '99')).rejects.toThrow(pg.DatabaseError)
    await expect(insert('22'.repeat(19), '0000000C', '1')).rejects.toThrow('member_account_check')
    await expect(insert('22'.repeat(20), '0000000I', '1')).rejects.toThrow('member_invite_code_check')
    await expect(sql`update lode.member set sponsor_id = id`.execute(db)).rejects.toThrow('check constraint')
  })
})
