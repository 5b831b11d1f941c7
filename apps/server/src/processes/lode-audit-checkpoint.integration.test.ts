import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { units } from '@lode/kernel'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post, sealAll } from '../modules/ledger/index.ts'
import { connectDatabase } from '../platform/db/database.ts'
import { testEnvironment } from '../testing/api.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { startServerProcess } from '../testing/process.ts'

let database: TestDatabase
let worker: ReturnType<typeof connectDatabase>
let folder: string
let checkpoint: string
beforeAll(async () => {
  database = await createTestDatabase()
  worker = connectDatabase(database.urlOf('lode_worker'), { name: 'lode test', max: 1 })
  folder = await mkdtemp(join(tmpdir(), 'lode-audit-'))
  checkpoint = join(folder, 'pool.checkpoint')
  await depositAndSeal()
}, 120_000)
afterAll(async () => {
  await worker.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const start = (...args: string[]) =>
  startServerProcess('lode', { ...testEnvironment(database), DATABASE_URL: database.ownerUrl }, 'audit', ...args)

async function lodeAudit(...args: string[]) {
  const process = start(...args)
  return { code: await process.ended, words: process.output().trim() }
}

let deposits = 0
async function depositAndSeal() {
  deposits += 1
  const to = { kind: 'suspense:address', address: '0x00000000000000000000000000000000000000AA' } as const
  await post(worker.db, [
    {
      type: 'suspenseDeposit',
      key: `chain:31337:0x${String(deposits).padStart(64, '0')}:0`,
      moves: [{ asset: 'USDT', amount: units('USDT', 5n), from: 'custody:vault', to }],
    },
  ])
  await sealAll(worker.db, { delaySeconds: 0 })
}

const runs = async () => {
  const { rows } = await sql<{ findings: number; incremental: boolean }>`
    select findings, incremental from lode.audit_run order by id`.execute(database.db)
  return rows
}

describe('lode audit --checkpoint', { timeout: 60_000 }, () => {
  it('reads everything the first time, and then what is new and a thirtieth', async () => {
    const first = await lodeAudit('--checkpoint', checkpoint, '--connections', '2')
    expect(first).toMatchObject({
      code: 0,
      words: expect.stringContaining('replaying the ledger gives the stored balances'),
    })
    await depositAndSeal()
    const second = await lodeAudit('--checkpoint', checkpoint, '--connections', '2')
    expect(second.words).toMatch(/^incremental +what is new since seal 1, and part 1 of 30 of the older history$/m)
    expect(second).toMatchObject({ code: 0, words: expect.stringContaining('Nothing is wrong in what was read.') })
    const third = await lodeAudit('--checkpoint', checkpoint)
    expect(third.words).toMatch(/^incremental +what is new since seal 2, and part 2 of 30/m)
    expect(await runs()).toEqual([
      { findings: 0, incremental: false },
      { findings: 0, incremental: true },
      { findings: 0, incremental: true },
    ])
    expect(await readdir(folder)).toEqual(['pool.checkpoint'])
  })

  it('leaves the file as it was if the audit is killed, or finds something', async () => {
    const before = await readFile(checkpoint, 'utf8')
    await database.db.transaction().execute(async (trx) => {
      await sql`lock table lode.posting in access exclusive mode`.execute(trx)
      const audit = start('--checkpoint', checkpoint)
      await expect
        .poll(
          async () => {
            const { rows } = await sql<{ waiting: boolean }>`
            select exists (select from pg_locks where not granted and relation = 'lode.posting'::regclass) as waiting`.execute(
              trx,
            )
            return rows[0]?.waiting
          },
          { timeout: 20_000 },
        )
        .toBe(true)
      audit.kill('SIGKILL')
      await audit.ended
    })
    expect(await readFile(checkpoint, 'utf8')).toBe(before)

    await depositAndSeal()
    await sql`update lode.ledger_account set balance = balance + 1 where id < 0`.execute(database.db)
    expect(await lodeAudit('--checkpoint', checkpoint)).toMatchObject({
      code: 1,
      words: expect.stringContaining('WRONG  a balance is not the sum of its postings'),
    })
    expect(await readFile(checkpoint, 'utf8')).toBe(before)
    await sql`update lode.ledger_account set balance = balance - 1 where id < 0`.execute(database.db)
    expect(await lodeAudit('--checkpoint', checkpoint)).toMatchObject({ code: 0 })
    expect(await readFile(checkpoint, 'utf8')).not.toBe(before)
  })

  it('refuses a damaged file, and options that do not go together', async () => {
    const damaged = join(folder, 'damaged')
    await writeFile(damaged, '{"seal": 4}')
    const refused = await lodeAudit('--checkpoint', damaged)
    expect(refused.code).toBe(1)
    expect(refused.words).toMatch(
      /^.*damaged is damaged, or it is not a checkpoint of lode audit\. Put a copy of it back\./,
    )
    expect(await readFile(damaged, 'utf8')).toBe('{"seal": 4}')
    expect((await lodeAudit('--checkpoint', checkpoint, '--seal', 'ab'.repeat(32))).words).toMatch(/^Give --seal or/)
    expect((await lodeAudit('--connections', '0')).words).toBe('--connections needs a number from 1 to 64.')
  })

  it('says that a database without the newest seals is behind the checkpoint, and records that as an error', async () => {
    await sql`alter table lode.ledger_seal disable trigger refuse_change`.execute(database.db)
    await sql`delete from lode.ledger_seal where number = (select max(number) from lode.ledger_seal)`.execute(
      database.db,
    )
    await sql`alter table lode.ledger_seal enable always trigger refuse_change`.execute(database.db)
    const { code, words } = await lodeAudit('--checkpoint', checkpoint)
    expect(code).toBe(1)
    expect(words).toMatch(
      /^The database is behind the checkpoint: its newest seal is number 2, and the last audit saw number 3\./,
    )
    expect(words).toContain('restored from a backup: run a full audit with --seal')
    expect((await runs()).at(-1)).toEqual({ findings: 1, incremental: true })
  })
})
