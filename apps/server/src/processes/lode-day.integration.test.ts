import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Units, units } from '@lode/kernel'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { post } from '../modules/ledger/index.ts'
import { createKeyFile, proposeCeremony, readKeyFile } from '../modules/operators/index.ts'
import { bytesOf } from '../platform/chain/hex-column.ts'
import { connectDatabase } from '../platform/db/database.ts'
import { testEnvironment, testPool } from '../testing/api.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { signInTurn, type TestOperator } from '../testing/operators.ts'
import { publishPlan } from '../testing/plan.ts'
import { startServerProcess } from '../testing/process.ts'

const NAMES = ['alice', 'bob']

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await createTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'lode-day-'))
  const operators: TestOperator[] = []
  for (const name of NAMES) {
    const passphrase = `the passphrase of ${name}`
    const { text, publicKey } = await createKeyFile(name, passphrase)
    writeFileSync(join(folder, `${name}.json`), text)
    writeFileSync(join(folder, `${name}.txt`), passphrase)
    const file = readKeyFile(text)
    const key = file.ok ? await file.value.open(passphrase) : file
    if (!key.ok) throw new Error(key.error)
    operators.push({ ...key.value, operator: { key: publicKey, name } })
  }
  const both = proposeCeremony(operators.map(({ operator }) => operator))
  await signInTurn(database.db, testPool(), both, operators)
  await publishPlan(database.db, testPool(), operators)
}, 120_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database.drop()
})

async function lode(args: readonly string[], also: Readonly<Record<string, string>> = {}): Promise<string> {
  const environment = { ...testEnvironment(database), DATABASE_URL: database.urlOf('lode_operator'), ...also }
  const process = startServerProcess('lode', environment, ...args)
  await process.ended
  return process.output()
}

/** Posts a funding as the watcher would. */
async function fund(day: number, amount: Units<'BTC'>): Promise<void> {
  const { pool, chainId } = testPool()
  const tx = Buffer.alloc(32, (day % 200) + 1)
  await sql`
    insert into lode.chain_state (chain_id, vault, genesis_hash, posted_number, posted_hash, posted_time)
    values (${chainId}, ${bytesOf(pool)}, ${tx}, 1, ${tx}, lode.now()) on conflict do nothing`.execute(database.db)
  await sql`
    insert into lode.dividend_funding
      (tx, log_index, block_number, block_time, day, funder, amount, bitcoin_txid, bitcoin_output)
    values (${tx}, 0, 1, lode.now(), ${day}, ${bytesOf(pool)}, ${String(amount)}::numeric, ${tx}, 0)`.execute(
    database.db,
  )
  const worker = connectDatabase(database.urlOf('lode_worker'), { name: 'test', max: 1 })
  const moves = [{ asset: 'BTC', amount, from: 'custody:vault', to: 'dividend:funded' }] as const
  await post(worker.db, [{ type: 'dividendFunding', key: `chain:${chainId}:0x${tx.toString('hex')}:0`, moves }])
  await worker.close()
}

const as = (name: string, ...args: string[]) =>
  lode([...args, '--key', join(folder, `${name}.json`), '--yes'], { LODE_PASSPHRASE_FILE: join(folder, `${name}.txt`) })

it('two operators let a day share out more than the daily limit of the plan, and both see the amount', {
  timeout: 240_000,
}, async () => {
  const { rows } = await sql<{ day: number }>`select lode.day_of(min(starts_at)) as day from lode.plan`.execute(
    database.db,
  )
  const day = rows[0]?.day ?? 0
  expect(await lode(['day', 'list'])).toContain(`${day} (`)
  const approve = ['day', 'approve', String(day)]
  expect(await as('alice', ...approve)).toContain('there is nothing to approve')
  await fund(day, units('BTC', 500_000_000n))
  expect(await lode(['day', 'list'])).toContain('with 5 BTC funded of 2 BTC')
  expect(await lode(['day', 'list'])).not.toContain('Funded for later')
  await fund(day + 1, units('BTC', 1_000_000n))
  expect(await lode(['day', 'list'])).toMatch(
    new RegExp(`with 5 BTC funded .*\nFunded for later:\n  ${day + 1} \\(.*\\)  0\\.01 BTC`),
  )
  expect(await as('alice', 'day', 'approve', String(day + 1))).toContain('It is not the turn of day')
  const first = await as('alice', ...approve)
  expect(first).toContain(`Let the day ${day} share out up to 5 BTC`)
  expect(first).toContain('It takes another operator')
  expect(await lode(['day', 'list'])).toMatch(/Waiting for another operator:\n {2}\d+ {2}approve the funding of a day/)
  expect(await as('bob', ...approve)).toContain('Signed by alice and bob')
  const approved = /approved by alice and bob up to 5 BTC \(decision \d+\)/
  expect(await lode(['day', 'list'])).toMatch(approved)
  const repeated = await as('alice', ...approve)
  expect(repeated).toMatch(/Nothing was signed\. The day is approved by alice and bob up to 5 BTC/)
  expect(repeated).not.toContain('You are the first to sign it')
})
