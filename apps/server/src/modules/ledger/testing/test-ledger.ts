import type { Units } from '@lode/kernel'
import { units } from '@lode/kernel'
import { sql } from 'kysely'
import { connectDatabase, type Database } from '../../../platform/db/database.ts'
import { setCauseChecks } from '../../../testing/cause-checks.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'

export type TestLedger = {
  readonly owner: Database
  readonly api: Database
  readonly worker: Database
  readonly signer: Database
  readonly database: TestDatabase
  /** Inserts new members. */
  members(count: number): Promise<bigint[]>
  /** Enables the checks that openTestLedger() disabled, so that the audit finds nothing wrong. */
  enableCauseChecks(): Promise<void>
  close(): Promise<void>
}

/** A ledger for one test, with a connection for each process role. */
export async function openTestLedger({ connections = 4 } = {}): Promise<TestLedger> {
  const database = await createTestDatabase()
  const as = (role: 'lode_api' | 'lode_worker' | 'lode_signer') =>
    connectDatabase(database.urlOf(role), { name: 'ledger test', max: connections })
  const api = as('lode_api')
  const worker = as('lode_worker')
  const signer = as('lode_signer')
  // These tests post transactions without the orders, payouts and days that cause them.
  await setCauseChecks(database.db, 'disable')
  return {
    owner: database.db,
    api: api.db,
    worker: worker.db,
    signer: signer.db,
    database,
    enableCauseChecks: () => setCauseChecks(database.db, 'enable always'),
    members: (count) => insertMembers(database.db, count),
    close: async () => {
      await Promise.all([api.close(), worker.close(), signer.close()])
      await database.drop()
    },
  }
}

async function insertMembers(owner: Database, count: number): Promise<bigint[]> {
  // The root must be inserted first: every other member has a sponsor.
  await sql`
    insert into lode.member (account, invite_code, lang)
    select decode(repeat('00', 20), 'hex'), 'R00T0000', 'en' where not exists (select from lode.member)`.execute(owner)
  const { rows } = await sql<{ id: bigint }>`
    insert into lode.member (account, invite_code, sponsor_id, lang)
    select substring(sha256(convert_to(gen_random_uuid()::text, 'UTF8')) for 20),
           upper(substring(md5(gen_random_uuid()::text) for 8)), (select min(id) from lode.member), 'en'
    from generate_series(1, ${count})
    returning id`.execute(owner)
  return rows.map(({ id }) => id)
}

export const usdt = (value: bigint | number): Units<'USDT'> => units('USDT', BigInt(value))
export const btn = (value: bigint | number): Units<'BTN'> => units('BTN', BigInt(value))
export const btc = (value: bigint | number): Units<'BTC'> => units('BTC', BigInt(value))

let logs = 0
/** A new key in the watcher's format, for a chain log that was not used before. */
export const newChainLogKey = (): `chain:${string}` => {
  logs += 1
  return `chain:31337:0x${logs.toString(16).padStart(64, '0')}:0`
}
