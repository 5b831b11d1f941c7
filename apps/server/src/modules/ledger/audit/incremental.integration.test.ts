import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type Database } from '../../../platform/db/database.ts'
import { post } from '../post.ts'
import { sealAll } from '../seal.ts'
import { disableProtection, runAndRollBack, TRIGGER_FINDING } from '../testing/edit-history.ts'
import { fillLedger } from '../testing/fill-ledger.ts'
import { openTestLedger, type TestLedger, usdt } from '../testing/test-ledger.ts'
import { deposit } from '../testing/transactions.ts'
import { type AuditReport, audit, auditInTransaction } from './audit.ts'
import { type Checkpoint, CheckpointRefused, RUNS_PER_ROUND, readCheckpoint, writeCheckpoint } from './checkpoint.ts'

let ledger: TestLedger
let folder: string
let start: Checkpoint
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lode-checkpoint-'))
  ledger = await openTestLedger()
  await fillLedger(ledger, 11, 120)
  // Seals overlap with the numbers that another one left out.
  await sealAll(ledger.worker, { delaySeconds: 0, limit: 5 })
  await ledger.enableCauseChecks()
  start = checkpointOf(await audit(ledger.owner))
}, 120_000)
afterAll(async () => {
  await ledger.close()
  await rm(folder, { recursive: true, force: true })
})

function checkpointOf({ findings, checkpoint }: AuditReport): Checkpoint {
  expect(findings).toEqual([])
  if (!checkpoint) throw new Error('the audit made no checkpoint')
  return checkpoint
}

const findingTexts = ({ findings }: AuditReport) =>
  findings.map(({ wrong }) => wrong).filter((wrong) => wrong !== TRIGGER_FINDING)

/** Runs the incremental audits of a round until one has this finding. Returns what they found. */
async function findWithinRound(trx: Database, first: Checkpoint, finding: RegExp): Promise<string> {
  let checkpoint = first
  const found: string[] = []
  for (let run = 1; run <= RUNS_PER_ROUND && !finding.test(found.join('\n')); run += 1) {
    const report = await auditInTransaction(trx, { checkpoint }).catch((error: unknown) => {
      if (error instanceof CheckpointRefused && error.isFinding) return error
      throw error
    })
    if (report instanceof Error) return report.message
    found.push(...findingTexts(report))
    checkpoint = report.checkpoint ?? checkpoint
  }
  return found.join('\n')
}

/** OLD stands for the number of an old transaction. */
const EDITS: readonly (readonly [what: string, change: string, finding: RegExp])[] = [
  [
    'the amount of a posting',
    `update lode.posting set amount = amount + 1 where transaction = OLD and version > 0`,
    /does not sum to zero/,
  ],
  [
    'the balance of an account',
    `update lode.ledger_account set balance = balance + 1 where id = (select max(id) from lode.ledger_account)`,
    /does not have the balance of its newest posting/,
  ],
  [
    'an account without a posting',
    `insert into lode.ledger_account (id, balance) select max(id) + 64, 0 from lode.ledger_account`,
    /does not have the balance of its newest posting/,
  ],
  [
    'the balance after a posting',
    `update lode.posting set balance_after = balance_after + 1 where transaction = OLD`,
    /not the sum of its postings/,
  ],
  [
    'the amount of a log line',
    `update lode.log_line set amount = amount + 1 where id = (select max(id) from lode.log_line)`,
    /log line does not agree/,
  ],
  [
    'a removed log line',
    `delete from lode.log_line where id = (select min(id) from lode.log_line)`,
    /log line does not agree/,
  ],
  [
    'a removed closing',
    `delete from lode.log_closing where line = (select min(line) from lode.log_closing)`,
    /log line does not agree/,
  ],
  [
    'a closing without a line',
    `insert into lode.log_closing select member, asset, 999999999, transaction, phase, at from lode.log_closing limit 1`,
    /ended that never began/,
  ],
  [
    'a kept sum',
    `update lode.ledger_day_sum set amount = amount + 1 where member = (select max(member) from lode.ledger_day_sum)`,
    /kept sum is not the sum/,
  ],
  [
    'a kept sum without lines',
    `insert into lode.ledger_day_sum select member, asset, type, day + 9999, amount, fee from lode.ledger_day_sum limit 1`,
    /kept sum has no log lines/,
  ],
  ['a removed transaction', `delete from lode.ledger_transaction where id = OLD`, /missing, or others were inserted/],
  [
    'an inserted transaction',
    `insert into lode.ledger_transaction select -5, member, key || 'x', input_hash, type, posted_at
     from lode.ledger_transaction where id = OLD`,
    /missing, or others were inserted|does not sum to zero/,
  ],
  [
    'the key of a transaction',
    `update lode.ledger_transaction set key = key || '9' where id = OLD`,
    /does not match its transactions/,
  ],
  ['an unknown type', `update lode.ledger_transaction set type = -1 where id = OLD`, /unknown type/],
  ['removed postings', `delete from lode.posting where transaction = OLD`, /does not sum to zero/],
  [
    'a posting under another member',
    `update lode.posting set member = member + 1 where transaction = OLD and member > 0`,
    /stored under another member/,
  ],
  [
    'a posting of no transaction',
    `update lode.posting set transaction = -3 where transaction = OLD`,
    /belongs to no transaction|does not sum to zero/,
  ],
  ['a removed seal', `delete from lode.ledger_seal where number = 4`, /chain of seals is broken|Seal 4 is missing/],
  [
    'a seal of other transactions',
    `update lode.ledger_seal set transactions = transactions - int8multirange(int8range(lower(transactions), lower(transactions) + 1))
     where number = 6`,
    /does not match its transactions/,
  ],
  [
    'a suspense holder without accounts',
    `insert into lode.suspense_holder overriding system value values (-77, decode(repeat('77', 20), 'hex'))`,
    /suspense holder and its accounts/,
  ],
  ['a chart', `update lode.ledger_kind set floored = not floored where code = 1`, /chart differs/],
]

describe('incremental audits', () => {
  it('find nothing in a correct ledger, read everything in a round, and begin the next round', async () => {
    let checkpoint = start
    let transactions = 0n
    let accounts = 0n
    let lines = 0n
    for (let run = 1; run <= RUNS_PER_ROUND; run += 1) {
      const report = await audit(ledger.owner, { checkpoint })
      expect(report).toMatchObject({ findings: [], incremental: { run, sinceSeal: start.seal.number } })
      transactions += report.transactions
      accounts += report.accounts
      lines += report.lines
      checkpoint = checkpointOf(report)
    }
    expect(checkpoint).toEqual(start)
    const { transactions: all, accounts: allAccounts, lines: allLines } = await audit(ledger.owner)
    expect([transactions, accounts, lines]).toEqual([all, allAccounts, allLines])
  }, 60_000)

  it.each(EDITS)('find %s in old history within 30 runs', { timeout: 60_000 }, async (_, change, finding) => {
    const found = await runAndRollBack(ledger.owner, async (trx) => {
      await disableProtection(trx)
      const { numAffectedRows } = await sql.raw(change.replaceAll('OLD', await oldTransaction(trx))).execute(trx)
      expect(numAffectedRows).toBeGreaterThan(0n)
      return findWithinRound(trx, start, finding)
    })
    expect(found).toMatch(finding)
  })
})

describe('what was posted after the checkpoint', () => {
  const NEW = [
    [
      'the amount of a posting',
      `update lode.posting set amount = amount + 1 where transaction = NEW`,
      'does not sum to zero',
    ],
    [
      'the balance after it',
      `update lode.posting set balance_after = 7 where transaction = NEW`,
      'not the sum of its postings',
    ],
    [
      'a skipped version',
      `update lode.posting set version = version + 1 where transaction = NEW`,
      'not the sum of its postings',
    ],
    [
      'the account row',
      `update lode.ledger_account set balance = balance + 1 where id in (select account from lode.posting where transaction = NEW)`,
      'not the sum of its postings',
    ],
    [
      'the log line',
      `update lode.log_line set amount = amount + 1 where transaction = NEW`,
      'does not agree with its postings',
    ],
    ['the removed transaction', `delete from lode.ledger_transaction where id = NEW`, 'belongs to no transaction'],
  ] as const

  it.each(NEW)('is read by the next run, which finds %s', async (_, change, finding) => {
    const [member = 0n] = await ledger.members(1)
    await post(ledger.worker, [deposit('USDT', member, usdt(50))])
    const found = await runAndRollBack(ledger.owner, async (trx) => {
      await disableProtection(trx)
      const { rows } = await sql<{ id: bigint }>`select max(id) as id from lode.ledger_transaction`.execute(trx)
      await sql.raw(change.replaceAll('NEW', String(rows[0]?.id))).execute(trx)
      return findingTexts(await auditInTransaction(trx, { checkpoint: start }))
    })
    expect(found.join('\n')).toContain(finding)
    expect((await audit(ledger.owner, { checkpoint: start })).findings).toEqual([])
  })

  it('is read in the same run if it was sealed late, and the seals are in the next checkpoint', async () => {
    await sealAll(ledger.worker, { delaySeconds: 0, limit: 2 })
    const report = await audit(ledger.owner, { checkpoint: start })
    const next = checkpointOf(report)
    expect(next.seal.number).toBeGreaterThan(start.seal.number)
    expect(report.seals.unsealed).toBe(0n)
    expect((await audit(ledger.owner, { checkpoint: next })).findings).toEqual([])
  })
})

describe('several connections', () => {
  it('find the same as one, in the same order', async () => {
    const database = connectDatabase(ledger.database.ownerUrl, { name: 'audit test', max: 3, noTimeouts: true })
    const backup = await sql<{ id: bigint; key: string }>`
      select id, key from lode.ledger_transaction order by id offset 30 limit 20`.execute(ledger.owner)
    await sql`alter table lode.ledger_transaction disable trigger user`.execute(ledger.owner)
    try {
      await sql`
        update lode.ledger_transaction set key = 'x' || key, type = type + 500
        where id = any (${backup.rows.map(({ id }) => String(id))})`.execute(ledger.owner)
      for (const checkpoint of [undefined, start]) {
        const single = await audit(database.db, { checkpoint, causes: true })
        const { incremental, ...parallel } = await audit(database.db, { checkpoint, causes: true, connections: 3 })
        expect(single.findings.length).toBeGreaterThan(0)
        expect(single).toMatchObject(parallel)
        expect(incremental?.run).toBe(single.incremental?.run)
      }
    } finally {
      for (const { id, key } of backup.rows)
        await sql`update lode.ledger_transaction set key = ${key}, type = type - 500 where id = ${id}`.execute(
          ledger.owner,
        )
      await sql`alter table lode.ledger_transaction enable always trigger refuse_change`.execute(ledger.owner)
      await database.close()
    }
  })
})

describe('a checkpoint', () => {
  const refusal = (checkpoint: Checkpoint) =>
    audit(ledger.owner, { checkpoint }).then(
      () => null,
      (error: unknown) => (error instanceof CheckpointRefused ? error : Promise.reject(error)),
    )

  it('of another ledger is refused', async () => {
    const refused = await refusal({ ...start, ledger: 'ab'.repeat(32) })
    expect(refused).toMatchObject({ isFinding: false, message: expect.stringMatching(/belongs to another ledger/) })
  })

  it('that the database is behind is a finding, and so is another seal with its number', async () => {
    const behind = await refusal({ ...start, seal: { ...start.seal, number: start.seal.number + 1_000n } })
    expect(behind).toMatchObject({
      isFinding: true,
      message: expect.stringMatching(/is behind the checkpoint[\s\S]*--seal/),
    })
    const rewritten = await refusal({ ...start, seal: { ...start.seal, hash: 'cd'.repeat(32) } })
    expect(rewritten).toMatchObject({ isFinding: true, message: expect.stringMatching(/is not the one[\s\S]*--seal/) })
  })

  it('is stored and read again, and its file does not grow', async () => {
    const path = join(folder, 'stored')
    expect(await readCheckpoint(path)).toBeNull()
    await writeCheckpoint(path, start)
    expect(await readCheckpoint(path)).toEqual(start)
    const next = { ...start, run: 7, rereadSeals: 3n, rereadOwners: 2n }
    await writeCheckpoint(path, next)
    expect(await readCheckpoint(path)).toEqual(next)
    expect((await readFile(path, 'utf8')).length).toBeLessThan(1_000)
    expect((await readdir(folder)).filter((name) => name.startsWith('stored'))).toEqual(['stored'])
  })

  it('whose file is damaged is refused in plain words', async () => {
    const path = join(folder, 'damaged')
    await writeCheckpoint(path, start)
    const text = await readFile(path, 'utf8')
    for (const damaged of ['', text.slice(0, 90), text.replace('"run": 0', '"run": 3'), '{}', '[1]', 'null']) {
      await writeFile(path, damaged)
      await expect(readCheckpoint(path)).rejects.toThrow(/is damaged, or it is not a checkpoint of lode audit\. Put/)
    }
  })

  it('stays as it was if writing the next one does not end', async () => {
    const path = join(folder, 'kept')
    await writeCheckpoint(path, start)
    // What a killed process leaves.
    await writeFile(`${path}.new`, '{"checkpoint":')
    expect(await readCheckpoint(path)).toEqual(start)
    await writeCheckpoint(path, { ...start, run: 1 })
    expect(await readCheckpoint(path)).toMatchObject({ run: 1 })
  })
})

/** The number of a transaction that changed a member's balance. */
async function oldTransaction(trx: Database): Promise<string> {
  const { rows } = await sql<{ id: bigint }>`
    select transaction as id from lode.posting where line is not null and amount > 0 and member > 0
    order by transaction offset 20 limit 1`.execute(trx)
  return String(rows[0]?.id)
}
