import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFirstMember } from '../../modules/identity/index.ts'
import { createTestDatabase, findErrorCode, type TestDatabase } from '../../testing/database.ts'
import { createTestWallet } from '../../testing/wallet.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await createFirstMember(database.db, createTestWallet().account)
})
afterAll(() => database.drop())

type Role = Parameters<TestDatabase['urlOf']>[0]

const findErrorCodeAs = (role: Role, statement: string) => findErrorCode(database, role, statement)

const DENIED = '42501'
const member =
  "(account, invite_code, sponsor_id, lang) values ('\\x1111111111111111111111111111111111111111', '00000000', 1, 'en')"

describe('the api’s role', () => {
  it.each([
    ['see a member', 'select * from lode.member'],
    ['register one', `insert into lode.member ${member}`],
    ['change a language', "update lode.member set lang = 'zh_tw'"],
    ['end a session', 'delete from lode.session'],
    ['consume a nonce', "insert into lode.consumed_nonce values ('\\x00000000000000000000000000000000', lode.now())"],
  ])('can %s', async (_what, statement) => {
    expect(await findErrorCodeAs('lode_api', statement)).toBeNull()
  })

  it.each([
    [
      'move a member to another address',
      "update lode.member set account = '\\x2222222222222222222222222222222222222222'",
    ],
    ['change a sponsor', 'update lode.member set sponsor_id = 1'],
    ['change a level', 'update lode.member set level = 5'],
    [
      'insert a member with a level',
      `insert into lode.member (level, account, invite_code, sponsor_id, lang) select 5, '\\x11', '00000000', 1, 'en'`,
    ],
    ['change an invitation code', "update lode.member set invite_code = '00000000'"],
    ['disable or enable anybody', 'update lode.member set disabled_at = null'],
    ['delete a member', 'delete from lode.member'],
    ['turn an exit session into a full one', "update lode.session set mode = 'full'"],
    ['give a session to another member', 'update lode.session set member_id = 1'],
    ['change when a session was created', 'update lode.session set created_at = lode.now()'],
    ['let a nonce be used again', 'delete from lode.consumed_nonce'],
    ['see which nonces were used', 'select * from lode.consumed_nonce'],
    ['read set-up codes', 'select * from lode.setup_code'],
    ['change a set-up code', "update lode.setup_code set code_hash = '\\x00'"],
    ['read the hash of a fund password', 'select hash from lode.protection'],
    ['read the hash of a password whose reset is pending', 'select reset_hash from lode.protection'],
    ['set a fund password', 'insert into lode.protection (member_id) values (1)'],
    ['reset the count of wrong passwords', 'update lode.protection set tries = 0, locked_until = null'],
    ['end the waiting time of a reset', 'update lode.protection set reset_ends_at = lode.now()'],
    ['shorten a member’s own lock', 'update lode.protection set transfers_locked_until = null'],
    [
      'bind an output address',
      "insert into lode.output_address values (1, 1, '\\x1111111111111111111111111111111111111111', lode.now(), lode.now())",
    ],
    ['shorten the waiting time of an output address', 'update lode.output_address set binds_at = lode.now()'],
    ['change when a browser was first seen', 'update lode.device set first_seen_at = lode.now()'],
    ['insert a browser', "insert into lode.device values (1, '\\x00', lode.now(), true)"],
    ['write the security log by hand', "insert into lode.security_line values (1, 1, lode.now(), 'device-new')"],
    ['write the security log by its function', "select lode.write_security_line(1, null, 'device-new')"],
    ['change the security log', 'update lode.security_line set at = lode.now()'],
    ['shorten the security log', 'delete from lode.security_line'],
    ['move the clock', "update lode.clock set shift = interval '1 day'"],
    ['record a migration', "insert into lode.migration values ('9999', 'now')"],
    ['see the job queue', 'select * from graphile_worker._private_jobs'],
    ['publish a notice', `insert into lode.notice (words) values ('{"en": {}, "zh_tw": {}, "zh_cn": {}}')`],
    ['change a help article', 'update lode.help_article set title = slug'],
    ['create a table', 'create table lode.mine (id int)'],
    ['change the posted block', 'update lode.chain_state set posted_number = posted_number + 1'],
    ['delete a seen deposit', 'delete from lode.chain_incoming'],
    ['insert a price', "insert into lode.price values ('BTC', 1, lode.now(), '\\x00')"],
    ['stop following the chain', "select lode.stop_chain('no')"],
    ['create a table in another schema', 'create table public.mine (id int)'],
    [
      'replace the clock',
      'create or replace function lode.now() returns timestamptz language sql return pg_catalog.now()',
    ],
    ['truncate', 'truncate lode.session'],
    ['become another role', 'set role lode_signer'],
    ['create a role', 'create role mine'],
    ['read the files of the server', "select pg_read_file('/etc/passwd')"],
    ['run a program', "copy (select 1) to program 'true'"],
  ])('cannot %s', async (_what, statement) => {
    expect(await findErrorCodeAs('lode_api', statement)).toBe(DENIED)
  })
})

describe('the security log', () => {
  it.each([
    ['changed', 'update lode.security_line set at = lode.now()'],
    ['shortened', 'delete from lode.security_line'],
    ['emptied', 'truncate lode.security_line'],
  ])('cannot be %s even by its owner', async (_what, statement) => {
    await sql`
      insert into lode.security_line (member_id, at, kind)
      select id, lode.now(), 'device-new' from lode.member limit 1`.execute(database.db)
    await expect(sql.raw(statement).execute(database.db)).rejects.toThrow('what was written stays')
  })
})

describe('the worker’s role', () => {
  it.each([
    ['sweep sessions', 'delete from lode.session where created_at < lode.now()'],
    ['sweep nonces', 'delete from lode.consumed_nonce where expires_at < lode.now()'],
    ['take jobs from the queue', 'select * from graphile_worker._private_jobs for update'],
    ['stop following the chain', "select lode.stop_chain('it is another one')"],
    ['move the posted block', 'update lode.chain_state set posted_number = posted_number + 1'],
    ['replace the vault’s events when blocks are read again', 'delete from lode.vault_event where block_number > 9'],
  ])('can %s', async (_what, statement) => {
    expect(await findErrorCodeAs('lode_worker', statement)).toBeNull()
  })

  it.each([
    ['see a token’s hash', 'select token_hash from lode.session'],
    ['open a session', "insert into lode.session (id) values ('00000000-0000-7000-8000-000000000000')"],
    ['see members', 'select * from lode.member'],
    ['read set-up codes', 'select * from lode.setup_code'],
    ['resume a stopped watcher', 'update lode.chain_state set stopped_reason = null, stopped_at = null'],
    ['follow another chain', 'update lode.chain_state set chain_id = 1'],
    ['delete the posted block', 'delete from lode.chain_state'],
    ['delete a cold address', 'delete from lode.pool_address'],
    ['change the funding of a dividend', 'update lode.dividend_funding set day = 1'],
    ['change an announcement of the vault', 'update lode.vault_event set call_hash = null'],
    ['record a migration of the job queue', 'insert into graphile_worker.migrations (id) values (99)'],
    ['forget the migrations of the job queue', 'delete from graphile_worker.migrations'],
    ['change the tables of the job queue', 'alter table graphile_worker._private_jobs add column mine int'],
  ])('cannot %s', async (_what, statement) => {
    expect(await findErrorCodeAs('lode_worker', statement)).toBe(DENIED)
  })
})

describe('the signer’s role', () => {
  it.each(['member', 'session', 'consumed_nonce', 'setup_code'])('cannot see %s', async (table) => {
    expect(await findErrorCodeAs('lode_signer', `select * from lode.${table}`)).toBe(DENIED)
  })
})
