import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { codeNamed } from '../../modules/ledger/index.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { applyFunctions, missingFunctions } from './apply-functions.ts'
import { readDeclared } from './declared-function.ts'
import { type FunctionFile, readFunctionFiles } from './function-files.ts'

let database: TestDatabase
let own: readonly FunctionFile[]
beforeAll(async () => {
  own = await readFunctionFiles(codeNamed)
  database = await createTestDatabase()
  await sql`create table lode.thing (id int, note text)`.execute(database.db)
})
// Functions that a test added have no file now, so this drops them.
beforeEach(() => applyFunctions(database.db, own))
afterAll(() => database.drop())

function file(name: string, text: string): FunctionFile {
  const { functions, triggers } = readDeclared(text)
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

const apply = (...added: readonly FunctionFile[]) => applyFunctions(database.db, [...own, ...added])

const answering = (answer: string, { arguments: given = '', returns = 'int', tail = '' } = {}) =>
  file(
    'answer',
    `create or replace function lode.answer(${given}) returns ${returns} language sql as $$ select ${answer} $$;\n${tail}`,
  )

const answer = async (call = 'lode.answer()') => {
  const { rows } = await sql<{ answer: unknown }>`select ${sql.raw(call)} as answer`.execute(database.db)
  return rows[0]?.answer
}

const oidOf = async (name: string) =>
  (await sql<{ oid: number }>`select oid::int from pg_proc where proname = ${name}`.execute(database.db)).rows[0]?.oid

const aclOf = async (name: string) =>
  (
    await sql<{ acl: string | null }>`select proacl::text as acl from pg_proc where proname = ${name}`.execute(
      database.db,
    )
  ).rows[0]?.acl

describe('a function file', () => {
  it('is applied once: a second run changes nothing', async () => {
    expect(await apply(answering('1'))).toEqual(['answer'])
    expect(await answer()).toBe(1)
    await sql`create or replace function lode.answer() returns int language sql as $$ select 7 $$`.execute(database.db)
    expect(await apply(answering('1'))).toEqual([])
    // Proves that the file was not executed again.
    expect(await answer()).toBe(7)
  })

  it('is applied again when it changed, and the function keeps its identity for a program that is running', async () => {
    await apply(answering('1', { tail: 'grant execute on function lode.answer to lode_api, lode_worker;' }))
    const before = await oidOf('answer')
    const changed = answering('2', {
      tail: 'revoke execute on function lode.answer from public;\ngrant execute on function lode.answer to lode_api;',
    })
    expect(await apply(changed)).toEqual(['answer'])
    expect(await answer()).toBe(2)
    expect(await oidOf('answer')).toBe(before)
    expect(await aclOf('answer')).toBe('{postgres=X/postgres,lode_api=X/postgres}')
  })

  it('gives its function the owner that it names, whoever owned it before', async () => {
    await apply(answering('1'))
    const { text } = answering('1')
    expect(await apply(file('answer', `set local role lode_orders;\n${text}`))).toEqual(['answer'])
    const { rows } = await sql`select proowner::regrole::text as owner from pg_proc where proname = 'answer'`.execute(
      database.db,
    )
    expect(rows).toEqual([{ owner: 'lode_orders' }])
    const { rows: rights } = await sql`
      select has_schema_privilege('lode_orders', 'lode', 'create') as may_create`.execute(database.db)
    expect(rights).toEqual([{ may_create: false }])
  })

  it('can have other arguments or another result than before: the old function is gone', async () => {
    await apply(answering('1'))
    expect(await apply(answering('given', { arguments: 'given text', returns: 'text' }))).toEqual(['answer'])
    expect(await answer("lode.answer('x')")).toBe('x')
    await expect(answer()).rejects.toThrow('does not exist')
    expect(await apply(answering('given', { arguments: 'given text', returns: 'varchar' }))).toEqual(['answer'])
    expect(await apply(answering('other', { arguments: 'other text', returns: 'varchar' }))).toEqual(['answer'])
  })

  it('is applied again when its function is missing', async () => {
    await apply(answering('1'))
    await sql`drop function lode.answer()`.execute(database.db)
    expect(await apply(answering('1'))).toEqual(['answer'])
    expect(await answer()).toBe(1)
  })

  it('takes its function with it when it is removed', async () => {
    await apply(answering('1'))
    expect(await apply()).toEqual(['answer'])
    await expect(answer()).rejects.toThrow('does not exist')
    expect(await apply()).toEqual([])
  })

  const stamping = (note: string, event = 'insert') =>
    file(
      'stamp_thing',
      `create or replace function lode.stamp_thing() returns trigger language plpgsql
       as $$ begin new.note := '${note}'; return new; end $$;
       create trigger stamp before ${event} on lode.thing for each row execute function lode.stamp_thing();
       alter table lode.thing enable always trigger stamp;`,
    )

  it('brings its triggers with it, changed and removed', async () => {
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

  it('needs no other file to come before it', async () => {
    const first = file(
      'a_caller',
      'create or replace function lode.a_caller() returns int language sql as $$ select lode.b_called() $$;',
    )
    const second = file(
      'b_called',
      'create or replace function lode.b_called() returns int language sql as $$ select 5 $$;',
    )
    expect(await apply(first, second)).toEqual(['a_caller', 'b_called'])
    expect(await answer('lode.a_caller()')).toBe(5)
  })

  it('that is wrong leaves everything as it was, and its path is told', async () => {
    await apply(answering('1'))
    const wrong = file(
      'wrong',
      'create or replace function lode.wrong() returns int language sql as $$ select nothing from lode.nowhere $$;',
    )
    await expect(apply(answering('2'), wrong)).rejects.toThrow('wrong.sql: relation "lode.nowhere" does not exist')
    expect(await answer()).toBe(1)

    const loop = file(
      'loop',
      'create or replace function lode.loop() returns int language plpgsql as $$ begin loop; end $$;',
    )
    await expect(apply(loop)).rejects.toThrow('loop.sql: syntax error')
    const nothing = file(
      'nothing',
      'create or replace function lode.nothing() returns lode.nowhere language sql as $$ select 1 $$;',
    )
    await expect(apply(answering('3'), nothing)).rejects.toThrow('nothing.sql: type "lode.nowhere" does not exist')
  })
})

describe('a program', () => {
  it('finds what was never applied, and takes a newer version for its own', async () => {
    const { db } = database
    expect(await missingFunctions(db)).toEqual([])
    const [first] = own
    if (!first) throw new Error('there are no files')
    const newer = file(first.name, `${first.source}\n-- changed`)
    expect(await applyFunctions(db, [newer, ...own.slice(1)])).toEqual([first.name])
    expect(await missingFunctions(db)).toEqual([])
    await sql`delete from lode.function_version where name = ${first.name}`.execute(db)
    expect(await missingFunctions(db)).toEqual([first.name])
  })

  it('that is older puts its own version back by migrating', async () => {
    const newer = answering('2')
    await apply(answering('1'))
    await apply(newer)
    expect(await apply(answering('1'))).toEqual(['answer'])
    expect(await answer()).toBe(1)
    expect(await apply(newer)).toEqual(['answer'])
  })
})
