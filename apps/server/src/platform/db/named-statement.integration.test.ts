import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { connectDatabase, type DatabaseConnection } from './database.ts'
import { namedStatement } from './named-statement.ts'

let database: TestDatabase
let connection: DatabaseConnection
beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
  connection = connectDatabase(database.ownerUrl, { name: 'named statement test', max: 1 })
})
afterAll(async () => {
  await connection.close()
  await database.drop()
})

const half = namedStatement<{ half: number }>('half', 'select 12 / $1::int as half')
const preparedNames = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select name from pg_prepared_statements order by name`.execute(connection.db)
  return rows.map(({ name }) => name)
}

describe('a named statement', () => {
  it('is prepared once for each connection, for all parameters', async () => {
    expect((await half(connection.db, [2])).rows).toEqual([{ half: 6 }])
    expect((await half(connection.db, [3])).rows).toEqual([{ half: 4 }])
    expect(await preparedNames()).toEqual(['half'])
    const { rows } = await sql<{ calls: bigint }>`
      select generic_plans + custom_plans as calls from pg_prepared_statements`.execute(connection.db)
    expect(rows).toEqual([{ calls: 2n }])
  })

  it('fails like any other statement, and can be used again afterwards', async () => {
    await expect(half(connection.db, [0])).rejects.toMatchObject({ code: '22012' })
    expect((await half(connection.db, [4])).rows).toEqual([{ half: 3 }])
  })

  it('is rolled back with its transaction', async () => {
    await sql`create table kept (value int)`.execute(connection.db)
    const keep = namedStatement('keep', 'insert into kept values ($1)')
    const undone = connection.db.transaction().execute(async (trx) => {
      await keep(trx, [1])
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect((await sql`select * from kept`.execute(connection.db)).rows).toEqual([])
    expect(await preparedNames()).toEqual(['half', 'keep'])
  })
})
