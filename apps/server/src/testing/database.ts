import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { connectDatabase, type Database } from '../platform/db/database.ts'
import { testStack } from './stack.ts'

export type TestDatabase = {
  readonly name: string
  /** Connected as the owner, who may do anything. */
  readonly db: Database
  readonly ownerUrl: string
  urlOf(role: 'lode_api' | 'lode_worker' | 'lode_signer' | 'lode_operator'): string
  /** Closes all connections of processes and refuses new ones, or allows them again. The owner's connections stay. */
  setReachable(reachable: boolean): Promise<void>
  drop(): Promise<void>
}

/** A database for one test file: a copy of the migrated template or, with `empty`, one without any schema. */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const name = newName()
  await asSuperuser(`create database ${name}${empty ? '' : ` template ${testStack().template}`}`)
  return openDatabase(name)
}

/**
 * A copy of a database as it is at this moment, as a backup would have it. All connections to the original are cut, as
 * by a crash of the server: processes connect again, and a statement that is running fails.
 */
export async function copyTestDatabase({ name: original }: TestDatabase): Promise<TestDatabase> {
  const name = newName()
  await asSuperuser(`alter database ${original} with allow_connections false`)
  try {
    await asSuperuser(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${original}'`)
    await asSuperuser(`create database ${name} template ${original}`)
  } finally {
    await asSuperuser(`alter database ${original} with allow_connections true`)
  }
  return openDatabase(name)
}

const newName = (): string => `test_${randomBytes(8).toString('hex')}`

function openDatabase(name: string): TestDatabase {
  const urlFor = (user: string) => {
    const url = new URL(testStack().postgresUrl)
    url.username = user
    url.pathname = `/${name}`
    return url.href
  }
  const { db, close } = connectDatabase(urlFor('postgres'), { name: 'test', max: 4, noTimeouts: true })
  return {
    name,
    db,
    ownerUrl: urlFor('postgres'),
    urlOf: urlFor,
    setReachable: async (reachable) => {
      await asSuperuser(`alter database ${name} connection limit ${reachable ? -1 : 0}`)
      if (!reachable)
        await asSuperuser(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and usename <> 'postgres'`,
        )
    },
    drop: async () => {
      await close()
      await asSuperuser(`drop database ${name} with (force)`)
    },
  }
}

async function asSuperuser(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: testStack().postgresUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

type RoleName = Parameters<TestDatabase['urlOf']>[0] | 'owner'

/** Executes a statement as a role and rolls it back. Returns the error of PostgreSQL, or null. */
export async function findStatementError(
  database: TestDatabase,
  role: RoleName,
  statement: string,
): Promise<pg.DatabaseError | null> {
  const client = new pg.Client({ connectionString: role === 'owner' ? database.ownerUrl : database.urlOf(role) })
  await client.connect()
  try {
    await client.query(`begin; ${statement}; rollback`)
    return null
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error
    throw error
  } finally {
    await client.end()
  }
}

/** The code of that error, or null. 42501 is "permission denied". */
export const findErrorCode = async (
  database: TestDatabase,
  role: RoleName,
  statement: string,
): Promise<string | null> => (await findStatementError(database, role, statement))?.code ?? null
