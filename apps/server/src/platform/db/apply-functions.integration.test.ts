import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { codeNamed } from '../../modules/ledger/index.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { applyFunctions, findMissingFunctions } from './apply-functions.ts'
import { readDeclarations } from './declared-function.ts'
import { type FunctionFile, readFunctionFiles } from './function-files.ts'

let database: TestDatabase
let ownFiles: readonly FunctionFile[]
beforeAll(async () => {
  ownFiles = await readFunctionFiles(codeNamed)
  database = await createTestDatabase()
  await sql`create table lode.thing (id int, note text)`.execute(database.db)
})
// Functions that a test added have no file now, so this drops them.
beforeEach(() => applyFunctions(database.db, ownFiles))
afterAll(() => database.drop())

function createFunctionFile(name: string, text: string): FunctionFile {
  const { functions, triggers } = readDeclarations(text)
  const [declared] = functions
  if (!declared) throw new Error('the file has no function')
  return {
    name,
    path: `${name}.sql`,
    source: text,
    text,
    hash: createHash('sha256').update(text).digest(),
    declared,
    triggers,
  }
}

const apply = (...added: readonly FunctionFile[]) => applyFunctions(database.db, [...ownFiles, ...added])

const createAnswerFile = (answer: string, { arguments: given = '', returns = 'int', tail = '' } = {}) =>
  createFunctionFile(
    'answer',
    `create or replace function lode.answer(${given}) returns ${returns} language sql as $$ select ${answer} $$;\n${tail}`,
  )

const callFunction = async (call = 'lode.answer()') => {
  const { rows } = await sql<{ answer: unknown }>`select ${sql.raw(call)} as answer`.execute(database.db)
  return rows[0]?.answer
}

const readOid = async (name: string) =>
  (await sql<{ oid: number }>`select oid::int from pg_proc where proname = ${name}`.execute(database.db)).rows[0]?.oid

const readAcl = async (name: string) =>
  (
    await sql<{ acl: string | null }>`select proacl::text as acl from pg_proc where proname = ${name}`.execute(
      database.db,
    )
  ).rows[0]?.acl

describe('a function file', () => {
  it('is applied once: a second run changes nothing', async () => {
    expect(await apply(createAnswerFile('1'))).toEqual(['answer'])
    expect(await callFunction()).toBe(1)
    await sql`create or replace function lode.answer() returns int language sql as $$ select 7 $$`.execute(database.db)
    expect(await apply(createAnswerFile('1'))).toEqual([])
    // Proves that the file was not executed again.
    expect(await callFunction()).toBe(7)
  })

  it('is applied again after a change, and the function keeps its oid for a running program', async () => {
    await apply(createAnswerFile('1', { tail: 'grant execute on function lode.answer to lode_api, lode_worker;' }))
    const before = await readOid('answer')
    const changed = createAnswerFile('2', {
      tail: 'revoke execute on function lode.answer from public;\ngrant execute on function lode.answer to lode_api;',
    })
    expect(await apply(changed)).toEqual(['answer'])
    expect(await callFunction()).toBe(2)
    expect(await readOid('answer')).toBe(before)
    expect(await readAcl('answer')).toBe('{postgres=X/postgres,lode_api=X/postgres}')
  })

  it('gives its function the owner that it names, and replaces an earlier owner', async () => {
    await apply(createAnswerFile('1'))
    const { text } = createAnswerFile('1')
    expect(await apply(createFunctionFile('answer', `set local role lode_orders;\n${text}`))).toEqual(['answer'])
    const { rows } = await sql`select proowner::regrole::text as owner from pg_proc where proname = 'answer'`.execute(
      database.db,
    )
    expect(rows).toEqual([{ owner: 'lode_orders' }])
    const { rows: rights } = await sql`
      select has_schema_privilege('lode_orders', 'lode', 'create') as may_create`.execute(database.db)
    expect(rights).toEqual([{ may_create: false }])
  })

  it('can change its arguments or its result: the old function is dropped', async () => {
    await apply(createAnswerFile('1'))
    expect(await apply(createAnswerFile('given', { arguments: 'given text', returns: 'text' }))).toEqual(['answer'])
    expect(await callFunction("lode.answer('x')")).toBe('x')
    await expect(callFunction()).rejects.toThrow('does not exist')
    expect(await apply(createAnswerFile('given', { arguments: 'given text', returns: 'varchar' }))).toEqual(['answer'])
    expect(await apply(createAnswerFile('other', { arguments: 'other text', returns: 'varchar' }))).toEqual(['answer'])
  })

  it('is applied again when its function is missing', async () => {
    await apply(createAnswerFile('1'))
    await sql`drop function lode.answer()`.execute(database.db)
    expect(await apply(createAnswerFile('1'))).toEqual(['answer'])
    expect(await callFunction()).toBe(1)
  })

  it('that is removed drops its function', async () => {
    await apply(createAnswerFile('1'))
    expect(await apply()).toEqual(['answer'])
    await expect(callFunction()).rejects.toThrow('does not exist')
    expect(await apply()).toEqual([])
  })

  const stamping = (note: string, event = 'insert') =>
    createFunctionFile(
      'stamp_thing',
      `create or replace function lode.stamp_thing() returns trigger language plpgsql
       as $$ begin new.note := '${note}'; return new; end $$;
       create trigger stamp before ${event} on lode.thing for each row execute function lode.stamp_thing();
       alter table lode.thing enable always trigger stamp;`,
    )

  it('creates, changes and drops its triggers', async () => {
    const notes = async () => {
      await sql`truncate lode.thing`.execute(database.db)
      await sql`insert into lode.thing values (1, 'as given')`.execute(database.db)
      await sql`update lode.thing set id = 2`.execute(database.db)
      return (await sql<{ note: string }>`select note from lode.thing`.execute(database.db)).rows[0]?.note
    }
    await apply(stamping('one'))
    expect(await notes()).toBe('one')
    await apply(stamping('two', 'update'))
    expect(await notes()).toBe('two')
    const { rows } = await sql`select tgname, tgenabled from pg_trigger where tgrelid = 'lode.thing'::regclass`.execute(
      database.db,
    )
    expect(rows).toEqual([{ tgname: 'stamp', tgenabled: 'A' }])
    await apply()
    expect(await notes()).toBe('as given')
  })

  it('may call a function of a later file', async () => {
    const first = createFunctionFile(
      'a_caller',
      'create or replace function lode.a_caller() returns int language sql as $$ select lode.b_called() $$;',
    )
    const second = createFunctionFile(
      'b_called',
      'create or replace function lode.b_called() returns int language sql as $$ select 5 $$;',
    )
    expect(await apply(first, second)).toEqual(['a_caller', 'b_called'])
    expect(await callFunction('lode.a_caller()')).toBe(5)
  })

  it('with an error changes nothing, and the error names its path', async () => {
    await apply(createAnswerFile('1'))
    const wrong = createFunctionFile(
      'wrong',
      'create or replace function lode.wrong() returns int language sql as $$ select nothing from lode.nowhere $$;',
    )
    await expect(apply(createAnswerFile('2'), wrong)).rejects.toThrow(
      'wrong.sql: relation "lode.nowhere" does not exist',
    )
    expect(await callFunction()).toBe(1)

    const loop = createFunctionFile(
      'loop',
      'create or replace function lode.loop() returns int language plpgsql as $$ begin loop; end $$;',
    )
    await expect(apply(loop)).rejects.toThrow('loop.sql: syntax error')
    const nothing = createFunctionFile(
      'nothing',
      'create or replace function lode.nothing() returns lode.nowhere language sql as $$ select 1 $$;',
    )
    await expect(apply(createAnswerFile('3'), nothing)).rejects.toThrow(
      'nothing.sql: type "lode.nowhere" does not exist',
    )
  })
})

describe('a program', () => {
  it('finds functions that were never applied, and accepts a newer version', async () => {
    const { db } = database
    expect(await findMissingFunctions(db)).toEqual([])
    const [first] = ownFiles
    if (!first) throw new Error('there are no files')
    const newer = createFunctionFile(first.name, `${first.source}\n-- changed`)
    expect(await applyFunctions(db, [newer, ...ownFiles.slice(1)])).toEqual([first.name])
    expect(await findMissingFunctions(db)).toEqual([])
    await sql`delete from lode.function_version where name = ${first.name}`.execute(db)
    expect(await findMissingFunctions(db)).toEqual([first.name])
  })

  it('that is older restores its own version when it migrates', async () => {
    const newer = createAnswerFile('2')
    await apply(createAnswerFile('1'))
    await apply(newer)
    expect(await apply(createAnswerFile('1'))).toEqual(['answer'])
    expect(await callFunction()).toBe(1)
    expect(await apply(newer)).toEqual(['answer'])
  })
})
