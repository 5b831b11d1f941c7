import { AbortedTransactionError, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { connectDatabase, type Database, type DatabaseConnection } from './database.ts'
import { AnswerMissing, isDatabaseUnavailable } from './database-unavailable.ts'
import { readInSnapshot } from './read-in-snapshot.ts'

let database: TestDatabase
let connection: DatabaseConnection
beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
  connection = connectDatabase(database.ownerUrl, { name: 'driver test', max: 1 })
  await sql`create table thing (value int)`.execute(connection.db)
})
beforeEach(async () => {
  await sql`truncate thing`.execute(connection.db)
})
afterAll(async () => {
  await connection.close()
  await database.drop()
})

const backend = async (db: Database) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid

const values = async (): Promise<number[]> =>
  (await sql<{ value: number }>`select value from thing order by value`.execute(connection.db)).rows.map(
    ({ value }) => value,
  )

describe('a query', () => {
  it('returns how many rows it changed, and no count if it only reads', async () => {
    const inserted = await sql`insert into thing values (1), (2), (3)`.execute(connection.db)
    expect(inserted).toEqual({ rows: [], numAffectedRows: 3n })
    expect((await sql`update thing set value = 9 where value = 0`.execute(connection.db)).numAffectedRows).toBe(0n)
    expect(await sql`select value from thing where value = 1`.execute(connection.db)).toEqual({ rows: [{ value: 1 }] })
  })

  it('returns int8 as a bigint, and numeric as exact text, so that nothing is rounded', async () => {
    const { rows } = await sql`
      select 9007199254740993::int8 as id, 123456789012345678901234567890 as amount, 1.50 as price`.execute(
      connection.db,
    )
    expect(rows).toEqual([{ id: 9_007_199_254_740_993n, amount: '123456789012345678901234567890', price: '1.50' }])
  })

  it('returns the types that pg does not know as text', async () => {
    const { rows } = await sql`select '{[1,3),[5,7)}'::int8multirange as ranges, '7'::xid8 as made_by`.execute(
      connection.db,
    )
    expect(rows).toEqual([{ ranges: '{[1,3),[5,7)}', made_by: '7' }])
  })

  it('is not compiled by PostgreSQL, because that would take longer than running it', async () => {
    expect((await sql`show jit`.execute(connection.db)).rows).toEqual([{ jit: 'off' }])
  })

  it('can be several statements in one text', async () => {
    await sql.raw('insert into thing values (1); insert into thing values (2)').execute(connection.db)
    expect(await values()).toEqual([1, 2])
  })

  it('that fails has its caller in the stack of the error', async () => {
    const callerOfQuery = async () => await sql`select 1 / 0`.execute(connection.db)
    await expect(callerOfQuery()).rejects.toMatchObject({
      code: '22012',
      stack: expect.stringMatching('callerOfQuery'),
    })
  })
})

describe('a transaction', () => {
  it('is not reported as committed if one of its statements failed', async () => {
    const committed = connection.db.transaction().execute(async (trx) => {
      await sql`insert into thing values (1)`.execute(trx)
      await sql`select 1 / 0`.execute(trx).catch(() => {})
    })
    await expect(committed).rejects.toThrow(AbortedTransactionError)
    expect(await values()).toEqual([])
  })

  it('has the requested isolation level and access mode', async () => {
    const settings = await connection.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        const { rows } = await sql`
          select current_setting('transaction_isolation') as isolation,
                 current_setting('transaction_read_only') as read_only`.execute(trx)
        return rows
      })
    expect(settings).toEqual([{ isolation: 'repeatable read', read_only: 'on' }])
  })

  it('that loses its connection fails, and the next query gets another connection', async () => {
    const cut = connection.db.transaction().execute(async (trx) => {
      await sql`insert into thing values (1)`.execute(trx)
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx)
    })
    await expect(cut).rejects.toThrow()
    expect(await values()).toEqual([])
  })

  it('that cannot be rolled back closes its connection, even if the caller still holds it', async () => {
    const before = await backend(connection.db)
    await failNextRollback()
    await connection.db.connection().execute(async (kept) => {
      const failed = kept.transaction().execute(async (trx) => await sql`select 1 / 0`.execute(trx))
      await expect(failed).rejects.toThrow()
      await expect(backend(kept)).rejects.toThrow('discarded')
    })
    expect(await backend(connection.db)).not.toBe(before)
  })

  /** The pool has one connection, so the next transaction gets the one that is changed here. */
  async function failNextRollback(): Promise<void> {
    const client = await connection.pool.connect()
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const failing = (...args: unknown[]) =>
      args[0] === 'rollback' ? Promise.reject(new Error('no rollback')) : query(...args)
    client.query = failing as typeof client.query
    client.release()
  }
})

describe('a connection that does not answer in time', () => {
  const MAX = 4
  let slow: DatabaseConnection
  beforeEach(() => {
    slow = connectDatabase(database.ownerUrl, { name: 'slow test', max: MAX, answerWithinMs: 300 })
    return () => slow.close()
  })

  const sleepIn = (db: Database, seconds = 3) => sql`select pg_sleep(${seconds})`.execute(db)
  const sleepInTransaction = () => slow.db.transaction().execute((trx) => sleepIn(trx))
  const countBackends = async () =>
    (await sql`select from pg_stat_activity where application_name = 'slow test'`.execute(connection.db)).rows.length
  const failuresOf = async (work: Promise<unknown>[]) =>
    (await Promise.allSettled(work)).map((one) => one.status === 'rejected' && isDatabaseUnavailable(one.reason))

  it('keeps its place in the pool until the late answer, and leaves half of the pool to reads', async () => {
    expect(await failuresOf([sleepInTransaction(), sleepInTransaction()])).toEqual([true, true])
    expect([slow.pool.totalCount, await countBackends()]).toEqual([2, 2])
    const began = performance.now()
    expect(await failuresOf([sleepInTransaction()])).toEqual([true])
    expect(performance.now() - began).toBeLessThan(250)
    expect(await readInSnapshot(slow.db, backend)).toBeGreaterThan(0)
    await expect
      .poll(async () => failuresOf([slow.db.transaction().execute(backend)]), { timeout: 5_000 })
      .toEqual([false])
    expect(await countBackends()).toBeLessThanOrEqual(2)
  })

  it('is closed if more than half of the pool waits, but only as many as the other half', async () => {
    expect(await failuresOf(Array.from({ length: MAX }, sleepInTransaction))).toEqual(Array(MAX).fill(true))
    expect(await readInSnapshot(slow.db, backend)).toBeGreaterThan(0)
    const statements = Array.from({ length: 3 * MAX }, () => sleepIn(slow.db))
    const ended = Promise.allSettled(statements)
    expect(await failuresOf(statements.slice(0, MAX))).toEqual(Array(MAX).fill(true))
    expect(await countBackends()).toBeLessThanOrEqual(1.5 * MAX)
    await ended
  })

  it('does not keep the pool from being closed', async () => {
    const own = connectDatabase(database.ownerUrl, { name: 'closing test', max: 2, answerWithinMs: 100 })
    await expect(sleepIn(own.db)).rejects.toThrow(AnswerMissing)
    const late = expect(sleepIn(own.db)).rejects.toThrow(AnswerMissing)
    const began = performance.now()
    await own.close()
    await late
    expect(performance.now() - began).toBeLessThan(1_000)
  })

  it('is waited for without limit if the pool has no time limits', async () => {
    const own = connectDatabase(database.ownerUrl, { name: 'patient', max: 1, noTimeouts: true, answerWithinMs: 50 })
    expect((await sleepIn(own.db, 0.3)).rows).toHaveLength(1)
    await own.close()
  })
})

describe('a write that the server refuses as read-only', () => {
  const write = (db: Database) => sql`insert into thing values (1)`.execute(db)

  it('makes the database unavailable, and the next query gets another connection', async () => {
    const before = await backend(connection.db)
    await sql`select set_config('default_transaction_read_only', 'on', false)`.execute(connection.db)
    expect(isDatabaseUnavailable(await write(connection.db).catch((error: unknown) => error))).toBe(true)
    expect(await backend(connection.db)).not.toBe(before)
    await write(connection.db)
  })

  it('is a fault of ours if the transaction was begun as read only', async () => {
    const before = await backend(connection.db)
    const error = await readInSnapshot(connection.db, write).catch((refused: unknown) => refused)
    expect(error).toMatchObject({ message: expect.stringMatching('begun as read only'), cause: { code: '25006' } })
    expect(isDatabaseUnavailable(error)).toBe(false)
    expect(await backend(connection.db)).toBe(before)
  })
})
