import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await sql`
    insert into lode.chain_state (chain_id, vault, genesis_hash, posted_number, posted_hash, posted_time)
    values (31337, ${Buffer.alloc(20)}, ${Buffer.alloc(32)}, 0, ${Buffer.alloc(32)}, lode.now())`.execute(database.db)
})
afterAll(() => database.drop())

const tx = 'ab'.repeat(32)
const id = '0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'

/** The log that the database reads from a key, as `transaction:index`; null if it reads none. */
async function logOf(key: string): Promise<string | null> {
  const { rows } = await sql<{ log: string | null }>`
    select encode(tx, 'hex') || ':' || log_index as log from lode.log_of_key(${key})`.execute(database.db)
  return rows[0]?.log ?? null
}

async function idOf(key: string): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`select lode.id_of_key(${key}) as id`.execute(database.db)
  return rows[0]?.id ?? null
}

describe('the key of a chain log', () => {
  it('names one log of this chain, and is written as it is read', async () => {
    for (const index of [0, 7, 10, 999_999_999]) {
      const key = `chain:31337:0x${tx}:${index}`
      expect(await logOf(key)).toBe(`${tx}:${index}`)
      const { rows } = await sql<{ key: string }>`
        select lode.key_of_log(${Buffer.from(tx, 'hex')}, ${index}) as key`.execute(database.db)
      expect(rows).toEqual([{ key }])
    }
  })

  it.each([
    ['another chain', `chain:1:0x${tx}:7`],
    ['a chain id with a zero before it', `chain:031337:0x${tx}:7`],
    ['an index with a zero before it', `chain:31337:0x${tx}:07`],
    ['an index that is too large', `chain:31337:0x${tx}:1000000000`],
    ['no index', `chain:31337:0x${tx}`],
    ['upper case', `chain:31337:0x${tx.toUpperCase()}:7`],
    ['a shorter hash', `chain:31337:0x${tx.slice(2)}:7`],
    ['no prefix of the hash', `chain:31337:${tx}:7`],
    ['a text before it', `x:chain:31337:0x${tx}:7`],
    ['a text after it', `chain:31337:0x${tx}:7:x`],
  ])('has one spelling: not with %s', async (_what, key) => {
    expect(await logOf(key)).toBeNull()
  })

  it('is accepted for any chain before the watcher has started', async () => {
    const empty = await createTestDatabase()
    const { rows } = await sql<{ one: number | null; other: number | null }>`
      select (lode.log_of_key(${`chain:1:0x${tx}:7`})).log_index as one,
             (lode.log_of_key(${`chain:01:0x${tx}:7`})).log_index as other`.execute(empty.db)
    await empty.drop()
    expect(rows).toEqual([{ one: 7, other: null }])
  })
})

describe('the key of an operation', () => {
  it('names its id, alone or with a step', async () => {
    expect([await idOf(`order:${id}`), await idOf(`order:${id}:settle`)]).toEqual([id, id])
  })

  it.each([
    ['a longer id', `order:${id}0`],
    ['upper case', `order:${id.toUpperCase()}`],
    ['no name', id],
    ['a name with other characters', `1order:${id}`],
    ['no id', 'order:settle'],
  ])('has no id with %s', async (_what, key) => {
    expect(await idOf(key)).toBeNull()
  })
})
