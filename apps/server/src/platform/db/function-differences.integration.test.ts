import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeNamed, codeOf } from '../../modules/ledger/index.ts'
import { migrate } from '../../processes/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import type { Database } from './database.ts'
import { findFunctionDifferences } from './function-differences.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function listAppendOnlyTables(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct format('lode.%I', relname) as name from pg_trigger join pg_class on pg_class.oid = tgrelid
    where tgfoid = 'lode.refuse_change'::regproc`.execute(db)
  return rows.map(({ name }) => name)
}

class RollBack extends Error {}
/** The differences after these statements, which are then rolled back. */
async function findDifferencesAfter(statements: string): Promise<string[]> {
  const kept = await listAppendOnlyTables(database.db)
  let found: string[] = []
  await database.db
    .transaction()
    .execute(async (trx) => {
      await sql.raw(statements).execute(trx)
      found = (await findFunctionDifferences(trx, { appendOnlyTables: kept, codeNamed })).map(
        ({ kind, text }) => `${kind} ${text}`,
      )
      throw new RollBack()
    })
    .catch((error: unknown) => {
      if (!(error instanceof RollBack)) throw error
    })
  return found
}

/** Creates lode.close_order again with one change in its definition. */
const replaceInCloseOrder = (find: string, replace: string): string => `
  do $do$
  declare
    definition text := pg_get_functiondef('lode.close_order'::regproc);
  begin
    if position(${literal(find)} in definition) = 0 then raise exception 'not found: %', definition; end if;
    execute replace(definition, ${literal(find)}, ${literal(replace)});
  end
  $do$`
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

describe('a migrated database', () => {
  it('has exactly the functions and triggers of the files', async () => {
    expect(await findDifferencesAfter('select 1')).toEqual([])
  })

  it('has exactly those in production, too', async () => {
    const other = await createTestDatabase({ empty: true })
    await migrate({ ownerUrl: other.ownerUrl, profile: 'production' })
    expect(
      await findFunctionDifferences(other.db, { appendOnlyTables: await listAppendOnlyTables(other.db), codeNamed }),
    ).toEqual([])
    await other.drop()
  })
})

describe('a function', () => {
  it.each([
    [
      'whose body was changed by one space',
      replaceInCloseOrder("'failed', ended_at", "'failed',  ended_at"),
      'its body',
    ],
    [
      'that runs with the rights of its caller',
      'alter function lode.close_order security invoker',
      'with whose rights it runs',
    ],
    ['of another owner', 'alter function lode.close_order owner to postgres', 'its owner'],
    ['that one more role may call', 'grant execute on function lode.close_order to lode_api', 'who may execute it'],
    ['that every role may call', 'grant execute on function lode.close_order to public', 'who may execute it'],
    [
      'that one role fewer may call',
      'revoke execute on function lode.close_order from lode_worker',
      'who may execute it',
    ],
    [
      'that a role may grant to others',
      'grant execute on function lode.close_order to lode_worker with grant option',
      'who may execute it',
    ],
    ['with another search_path', "alter function lode.close_order set search_path = 'public'", 'its settings'],
    ['with one more setting', 'alter function lode.close_order set enable_seqscan = off', 'its settings'],
    ['without its settings', 'alter function lode.close_order reset all', 'its settings'],
    [
      'with another argument default',
      replaceInCloseOrder('of_id uuid', 'of_id uuid DEFAULT gen_random_uuid()'),
      'its arguments',
    ],
    ['of another volatility', 'alter function lode.close_order stable', 'its volatility'],
    ['that is strict', 'alter function lode.close_order strict', 'whether it is strict'],
    ['that is leakproof', 'alter function lode.close_order leakproof', 'it is leakproof'],
    ['that is missing', 'drop function lode.close_order', 'it is missing'],
  ])('%s is reported', async (_, statements, difference) => {
    expect(await findDifferencesAfter(statements)).toEqual([`function lode.close_order: ${difference}`])
  })

  it.each([
    [
      'with a name of its own',
      'create function lode.backdoor(a int) returns int language sql as $$ select a $$',
      'lode.backdoor(a integer)',
    ],
    [
      'with the name of another',
      'create function lode.close_order(a int) returns int language sql as $$ select a $$',
      'lode.close_order(a integer)',
    ],
  ])('that no file has, %s, is reported', async (_, statements, signature) => {
    expect(await findDifferencesAfter(statements)).toEqual([`function ${signature}: it is in no file`])
  })

  it('that a migration creates is compared as well', async () => {
    expect(
      await findDifferencesAfter(`
        create or replace function lode.now() returns timestamptz language sql stable parallel safe
          return pg_catalog.now() - interval '1 day';
        create or replace function lode.text_hash(given text) returns bytea language sql immutable strict parallel safe
          set search_path = pg_catalog, pg_temp as $$ select sha256('') $$`),
    ).toEqual(expect.arrayContaining(['function lode.now: its body', 'function lode.text_hash: its body']))
  })

  it('is reported even if the record of applied versions was changed, too', async () => {
    const statements = `${replaceInCloseOrder("'failed', ended_at", "'failed',  ended_at")};
      update lode.function_version set hash = sha256('changed') where name = 'close_order'`
    expect(await findDifferencesAfter(statements)).toEqual(['function lode.close_order: its body'])
  })
})

describe('a trigger', () => {
  const LEDGER = 'lode.ledger_transaction'
  it.each([
    ['that is missing', `drop trigger check_cause on ${LEDGER}`, `${LEDGER} check_cause: it is missing`],
    ['that is disabled', `alter table ${LEDGER} disable trigger check_cause`, `${LEDGER} check_cause: it is disabled`],
    [
      'that does not run on a replica',
      `alter table ${LEDGER} enable trigger check_cause`,
      `${LEDGER} check_cause: it is disabled`,
    ],
    [
      'that runs for fewer rows',
      `drop trigger check_cause on ${LEDGER};
       create constraint trigger check_cause after insert on ${LEDGER} deferrable initially deferred
         for each row when (new.type = ${codeOf('type.pointReward')}) execute function lode.check_cause();
       alter table ${LEDGER} enable always trigger check_cause`,
      `${LEDGER} check_cause: its definition`,
    ],
    [
      'that makes a table append-only and is disabled',
      'alter table lode.plan disable trigger refuse_change',
      'lode.plan refuse_change: it is disabled',
    ],
    [
      'that protects a partition of the ledger and is disabled',
      'alter table lode.posting_member_3 disable trigger refuse_change',
      'lode.posting_member_3 refuse_change: it is disabled',
    ],
    [
      'that no file has',
      'create trigger more before insert on lode.payout for each row execute function lode.stamp_now()',
      'lode.payout more: it is in no file',
    ],
  ])('%s is reported', async (_, statements, difference) => {
    expect(await findDifferencesAfter(statements)).toEqual([`trigger ${difference}`])
  })
})
