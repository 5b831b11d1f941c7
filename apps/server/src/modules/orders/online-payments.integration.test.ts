import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { buildOnlinePaymentsQuery } from './queries.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

it('the online payments of some days are read from the index alone', async () => {
  const plan = await database.db.transaction().execute(async (trx) => {
    // The table is empty, so the planner would read it. Without the other ways it shows whether the index suffices.
    await sql`set local enable_seqscan = off`.execute(trx)
    await sql`set local enable_bitmapscan = off`.execute(trx)
    await sql`set local enable_indexscan = off`.execute(trx)
    const query = buildOnlinePaymentsQuery(1n, { from: 20_000, to: 20_030 })
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (costs off) ${query}`.execute(trx)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain('Index Only Scan using pay_order_successful')
})
