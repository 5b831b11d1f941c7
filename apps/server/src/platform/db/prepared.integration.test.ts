import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { connectDatabase, type DatabaseConnection } from './database.ts'
import { prepared } from './prepared.ts'

let database: TestDatabase
let connection: DatabaseConnection
beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
  connection = connectDatabase(database.ownerUrl, { name: 'prepared test', max: 1 })
})
afterAll(async () => {
  await connection.close()
  await database.drop()
})

const half = prepared('half', 'select 12 / $1::int as half')
const halve = (by: number) => connection.db.executeQuery<{ half: number }>(CompiledQuery.raw(half, [by]))

describe('a statement that is marked', () => {
  it('is prepared once for its connection, whatever its parameters', async () => {
    expect((await halve(2)).rows).toEqual([{ half: 6 }])
    expect((await halve(3)).rows).toEqual([{ half: 4 }])
    const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements`.execute(connection.db)
    expect(rows).toEqual([{ name: 'half' }])
  })

  it('fails as any other would, and can be used again after that', async () => {
    await expect(halve(0)).rejects.toMatchObject({ code: '22012' })
    expect((await halve(4)).rows).toEqual([{ half: 3 }])
  })

  it('is part of the transaction that it is sent in', async () => {
    await sql`create table kept (value int)`.execute(connection.db)
    const keep = CompiledQuery.raw(prepared('keep', 'insert into kept values ($1)'), [1])
    const undone = connection.db.transaction().execute(async (inside) => {
      await inside.executeQuery(keep)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect((await sql`select * from kept`.execute(connection.db)).rows).toEqual([])
  })
})
