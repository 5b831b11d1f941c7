import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { Database } from './database.ts'
import { poolDialect } from './pool-driver.ts'

// This test never takes a connection from the pool.
const db: Database = new Kysely({ dialect: poolDialect(new pg.Pool(), null) })

describe('a query', () => {
  it('is written with the sql template, because the query builder knows no table', () => {
    expect(sql`select id from lode.member where id = ${1n}`.compile(db)).toMatchObject({
      sql: 'select id from lode.member where id = $1',
      parameters: [1n],
    })
    // @ts-expect-error no table can be read
    db.selectFrom('lode.member')
    // @ts-expect-error no table can be inserted into
    db.insertInto('lode.member')
    // @ts-expect-error no table can be updated
    db.updateTable('lode.member')
    // @ts-expect-error nothing can be deleted
    db.deleteFrom('lode.member')
  })
})
