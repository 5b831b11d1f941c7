import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { type PresentFunction, presentFunctions, presentTriggers, schemaOwner } from './catalogue.ts'
import type { Database } from './database.ts'
import { type FunctionFile, readFunctionSources } from './function-files.ts'

/**
 * Makes the functions of a database equal to the function files, in one transaction. Returns the names of the functions
 * that it changed.
 *
 * A file is applied if its hash differs from the one applied last, or if its function is missing. If a function's file
 * is gone, the function is dropped with its triggers. A function whose arguments and result stay the same is replaced
 * in place, so that a running program can go on calling it. Otherwise it is dropped and created again.
 */
export async function applyFunctions(db: Database, files: readonly FunctionFile[]): Promise<string[]> {
  const applied = await appliedHashes(db)
  const existing = await functionNames(db)
  const changed = files.filter(({ name, hash }) => !(applied.get(name)?.equals(hash) && existing.has(name)))
  const names = new Set(files.map(({ name }) => name))
  const removed = Array.from(applied.keys()).filter((name) => !names.has(name))
  if (changed.length === 0 && removed.length === 0) return []

  await db.transaction().execute(async (inside) => {
    const present = Map.groupBy(await presentFunctions(inside), ({ name }) => name)
    // The bodies are checked after all functions exist, so that the files need no order.
    await sql`set local check_function_bodies = off`.execute(inside)
    const obsolete = [...removed, ...changed.map(({ name }) => name)].filter((name) => present.has(name))
    await dropTriggers(inside, new Set(obsolete))
    for (const name of removed) await dropFunctions(inside, present.get(name) ?? [])
    const owners = Array.from(new Set(changed.flatMap(({ declared }) => declared.owner ?? [])))
    if (owners.length > 0) await sql`grant create on schema lode to ${idList(owners)}`.execute(inside)
    for (const file of changed) await makeRoom(inside, file, present.get(file.name) ?? [])
    await executeAll(inside, changed)
    if (owners.length > 0) await sql`revoke create on schema lode from ${idList(owners)}`.execute(inside)
    await checkBodies(inside, changed)
    await recordVersions(inside, changed, removed)
  })
  return [...removed, ...changed.map(({ name }) => name)].toSorted()
}

/** The functions of this program whose present version was never applied to this database. */
export async function missingFunctions(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string; hash: Buffer }>`select name, hash from lode.function_version`.execute(db)
  const known = new Set(rows.map(({ name, hash }) => `${name} ${hash.toString('hex')}`))
  sourcesOfThisProgram ??= readFunctionSources()
  const sources = await sourcesOfThisProgram
  return sources.filter(({ name, hash }) => !known.has(`${name} ${hash.toString('hex')}`)).map(({ name }) => name)
}

/** Read once, because a load balancer may call this every second. */
let sourcesOfThisProgram: ReturnType<typeof readFunctionSources> | undefined

async function appliedHashes(db: Database): Promise<Map<string, Buffer>> {
  const { rows } = await sql<{ name: string; hash: Buffer }>`
    select distinct on (name) name, hash from lode.function_version order by name, id desc`.execute(db)
  return new Map(rows.map(({ name, hash }) => [name, hash]))
}

async function functionNames(db: Database): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select proname as name from pg_proc where pronamespace = 'lode'::regnamespace`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

async function dropTriggers(inside: Database, names: ReadonlySet<string>): Promise<void> {
  if (names.size === 0) return
  for (const { name, table, functionName, isInherited } of await presentTriggers(inside))
    if (names.has(functionName) && !isInherited)
      await sql`drop trigger ${sql.id(name)} on ${sql.raw(table)}`.execute(inside)
}

async function dropFunctions(inside: Database, functions: readonly PresentFunction[]): Promise<void> {
  for (const { signature } of functions) await sql`drop function ${sql.raw(signature)}`.execute(inside)
}

/** Prepares the existing function for the statements of the file. */
async function makeRoom(inside: Database, file: FunctionFile, present: readonly PresentFunction[]): Promise<void> {
  const [only] = present
  if (only && present.length === 1 && canBeReplaced(only, file)) await resetOwnerAndPrivileges(inside, only, file)
  else await dropFunctions(inside, present)
}

/**
 * Executes all files as one text: 85 round trips would slow down migrating a new database by half (2.7 s instead of 1.8
 * s). Only if that fails, it executes one file after the other to find the wrong one.
 */
async function executeAll(inside: Database, files: readonly FunctionFile[]): Promise<void> {
  const execute = (text: string) => sql.raw(`${text}\nreset role;`).execute(inside)
  await sql`savepoint function_files`.execute(inside)
  try {
    await execute(files.map(({ text }) => text).join('\nreset role;\n'))
  } catch {
    await sql`rollback to savepoint function_files`.execute(inside)
    for (const file of files)
      await execute(file.text).catch((error: unknown) => {
        throw inFile(file, error)
      })
  }
}

/** The same error, with the path of its file. */
const inFile = ({ path }: FunctionFile, error: unknown): Error =>
  new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })

const canBeReplaced = (present: PresentFunction, { declared }: FunctionFile): boolean =>
  present.arguments === declared.arguments && (declared.returns === null || present.returns === declared.returns)

/** Resets owner and privileges to those of a new function, as the file expects. */
async function resetOwnerAndPrivileges(
  inside: Database,
  { signature, executors, owner }: PresentFunction,
  { declared }: FunctionFile,
): Promise<void> {
  const name = sql.raw(signature)
  const roles = executors
    .map((executor) => executor.replace(' with grant option', ''))
    .filter((role) => role !== 'public')
  if (roles.length > 0) await sql`revoke all on function ${name} from ${idList(roles)}`.execute(inside)
  await sql`grant execute on function ${name} to public`.execute(inside)
  const wanted = declared.owner ?? (await schemaOwner(inside))
  if (owner !== wanted) await sql`alter function ${name} owner to ${sql.id(wanted)}`.execute(inside)
}

/** The check that PostgreSQL makes when a function is created, unless it is turned off. */
async function checkBodies(inside: Database, files: readonly FunctionFile[]): Promise<void> {
  await sql`set local check_function_bodies = on`.execute(inside)
  for (const [language, validator] of Object.entries(VALIDATORS)) {
    const names = files.filter(({ declared }) => declared.language === language).map(({ name }) => name)
    await sql`
      select ${sql.id('pg_catalog', validator)}(oid) from pg_proc
      where pronamespace = 'lode'::regnamespace and proname = any (${names})`
      .execute(inside)
      .catch((error: unknown) => {
        const { where = '', internalQuery } = error instanceof pg.DatabaseError ? error : {}
        const [, named] = /function "(?:lode\.)?(\w+)/.exec(where) ?? []
        const file = files.find(({ name, declared }) => name === named || declared.body === internalQuery)
        throw file ? inFile(file, error) : error
      })
  }
}

const VALIDATORS = { sql: 'fmgr_sql_validator', plpgsql: 'plpgsql_validator' }

/** A version that was applied before and returns is recorded again, as the newest. */
async function recordVersions(
  inside: Database,
  changed: readonly FunctionFile[],
  removed: readonly string[],
): Promise<void> {
  const names = changed.map(({ name }) => name)
  const hashes = changed.map(({ hash }) => hash)
  await sql`delete from lode.function_version where name = any (${removed})`.execute(inside)
  await sql`
    delete from lode.function_version using unnest(${names}::text[], ${hashes}::bytea[]) as given (name, hash)
    where function_version.name = given.name and function_version.hash = given.hash`.execute(inside)
  await sql`
    insert into lode.function_version (name, hash)
    select name, hash from unnest(${names}::text[], ${hashes}::bytea[]) as given (name, hash)`.execute(inside)
}

const idList = (names: readonly string[]): RawBuilder<unknown> => sql.join(names.map((name) => sql.id(name)))
