import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { poolVaultAbi } from '@lode/contracts'
import { ok } from '@lode/kernel'
import { sql } from 'kysely'
import { getAbiItem } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createNode, NodesDisagree } from '../../../platform/chain/node.ts'
import { nodeAt } from '../../../platform/config/node-address.ts'
import { connectDatabase } from '../../../platform/db/database.ts'
import { copyTestDatabase, createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { signInTurn } from '../../../testing/operators.ts'
import { startServerProcess } from '../../../testing/process.ts'
import { startUnreliableNode } from '../../../testing/unreliable-node.ts'
import { type ChainState, readAssetStops, readChainState } from '../../custody/index.ts'
import { codeOf } from '../../ledger/index.ts'
import { proposeRestoreAcknowledgment } from '../../operators/index.ts'
import { readPayouts } from '../payout-row.ts'
import { requestTransfer } from '../testing/paying-pool.ts'
import { acknowledgeRestore, readComparedState } from './acknowledge-restore.ts'
import { findAfterRestore } from './find-after-restore.ts'
import { type BusyPool, createDraw, readRequester, startBusyPool, waitPatiently } from './testing/busy-hour.ts'

/** `pnpm deep` restores to more moments. */
const MOMENTS = Number(process.env.RESTORE_MOMENTS ?? 2)
const SEED = Number(process.env.RESTORE_SEED ?? 1)
const STEPS_PER_MOMENT = 8
/** About twenty times what is needed, because the machine may be busy with other tests. */
const TIME_LIMIT_MS = 600_000

let pool: BusyPool
const moments: TestDatabase[] = []
let chainAtEnd: `0x${string}`
let shift: unknown
let events: Record<string, number>

/** A busy hour, of which the database is copied at random moments. At its end one payout is signed and not mined. */
beforeAll(
  async () => {
    pool = await startBusyPool(MOMENTS * 3)
    const draw = createDraw(SEED)
    for (let index = 0; index < MOMENTS * STEPS_PER_MOMENT; index += 1) {
      await pool.step(index, draw)
      if (index % STEPS_PER_MOMENT !== draw(STEPS_PER_MOMENT) && index % STEPS_PER_MOMENT !== STEPS_PER_MOMENT - 1)
        continue
      if (moments.length > index / STEPS_PER_MOMENT) continue
      await sleep(draw(300))
      moments.push(await copyTestDatabase(pool.database))
    }
    await pool.settle(pool.db)
    events = await pool.countEvents()
    await pool.endWithUnminedRelease()
    await pool.stopProcesses()
    const { rows } = await sql<{ shift: unknown }>`select shift::text from lode.clock`.execute(pool.db)
    shift = rows[0]?.shift
    chainAtEnd = await pool.node.snapshot()
  },
  TIME_LIMIT_MS + MOMENTS * 120_000,
)
afterAll(async () => {
  // First, because it also ends processes that a failed test left running on one of these databases.
  await pool.close()
  await Promise.all(moments.map((moment) => moment.drop()))
})

/** The chain as at the end of the hour, and the time of that moment. */
async function goToEnd(database: TestDatabase): Promise<void> {
  await pool.node.revert({ id: chainAtEnd })
  chainAtEnd = await pool.node.snapshot()
  await pool.node.setAutomine(true)
  await sql`update lode.clock set shift = ${shift}::interval`.execute(database.db)
}

async function runLode(database: TestDatabase, ...args: string[]): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const lode = startServerProcess('lode', { ...pool.environment, DATABASE_URL: database.ownerUrl }, ...args)
    const code = await lode.ended
    if (code === 0) return lode.output()
    // An operator runs the command again. On a busy machine a node's connection may break.
    if (tries < 3 && lode.output().includes('because the nodes failed')) continue
    throw new Error(`lode ${args[0]} ended with ${code}:\n${lode.output()}`)
  }
}

const restoredArguments = (journal: string): string[] => [
  'restored',
  '--journal',
  journal,
  '--chain',
  pool.nodes,
  '--yes',
]

async function waitUntilPosted({ db }: TestDatabase): Promise<void> {
  const { number } = await pool.client.getBlock({ blockTag: 'finalized' })
  const state = await waitPatiently(async () => {
    const read = await readChainState(db)
    const hasStopped = read?.stoppedReason || (await readAssetStops(db)).size > 0
    if (!read || (read.postedNumber < number && !hasStopped)) throw new Error(`block ${number} is not posted`)
    return read
  })
  expect([state.stoppedReason, await readAssetStops(db)]).toEqual([null, new Map()])
}

async function readReleasedIds(): Promise<string[]> {
  const logs = await pool.client.getLogs({
    address: pool.contracts.vault,
    event: getAbiItem({ abi: poolVaultAbi, name: 'PayoutReleased' }),
    fromBlock: 0n,
  })
  return logs.map(({ topics }) => topics[1] ?? '')
}

const acknowledge = async ({ db }: TestDatabase): Promise<void> => {
  const compared = await readComparedState(db)
  if (!compared) throw new Error('nothing was compared')
  const terms = {
    journal: compared.journalHash.toString('hex'),
    lines: compared.journalLines,
    block: String(compared.chainBlock),
  }
  const { alice, bob } = pool.operators
  const proposal = proposeRestoreAcknowledgment(terms, 'the disk failed')
  await signInTurn(db, pool.poolId, proposal, [alice, bob], async (trx, { id, complete }) => {
    if (complete) await acknowledgeRestore(trx, id)
    return ok(null)
  })
}

/** A new transfer, as a member asks for it with a new session. */
async function requestNewTransfer(database: TestDatabase): Promise<string> {
  const { rows } = await sql<{ id: bigint }>`
    select owner as id from (
      select ledger_account.id >> 14 as owner, balance from lode.ledger_account
      where (ledger_account.id >> 8) & 63 = ${codeOf('kind.available')} and (ledger_account.id >> 6) & 3 = ${codeOf('asset.USDT')}) held
    where balance > 20000000 order by balance desc limit 1`.execute(database.db)
  const [member] = rows
  if (!member) throw new Error('no member has money for a transfer')
  const requester = await readRequester(database.db, member)
  const api = connectDatabase(database.urlOf('lode_api'), { name: 'restored' })
  try {
    const { fee } = pool.plan.transfer.USDT
    return await requestTransfer(api.db, requester, { asset: 'USDT', amount: pool.amounts.USDT, fee })
  } finally {
    await api.close()
  }
}

it('the busy hour has everything that moves money', () => {
  for (const event of [
    'deposit',
    'suspenseDeposit',
    'payout transfer final',
    'payout transfer cancelled',
    'payout treasury final',
    'payout suspense final',
    'burn',
    'order success',
    'collected',
  ])
    expect([event, events[event] ?? 0]).toEqual([event, expect.toSatisfy((count: number) => count > 0)])
})

describe('a database that was restored while the chain went on', () => {
  it(
    'is not repaired while the api is connected, or without the journal while the old payer can still pay',
    async () => {
      // The last moment: its database knows the payer by a release.
      const database = moments.at(-1) as TestDatabase
      await goToEnd(database)
      const journal = join(pool.folder, 'signer.journal')
      const api = connectDatabase(database.urlOf('lode_api'), { name: 'running' })
      // Holds a connection, because the pool closes idle ones.
      await api.db.connection().execute(async (held) => {
        await sql`select 1`.execute(held)
        const repair = runLode(database, ...restoredArguments(journal))
        await expect(repair).rejects.toThrow('Stop the api and the signer first')
      })
      await api.close()
      await expect(runLode(database, 'restored', '--chain', pool.nodes, '--yes')).rejects.toThrow(
        `first take the payer’s role in the vault from ${pool.accountOf('payer').address}`,
      )
      expect(await readRows(database, 'session')).toBeGreaterThan(0)
      expect(await readRows(database, 'restore')).toBe(0)
    },
    TIME_LIMIT_MS,
  )

  it(
    'without the journal learns of every payer from the vault’s logs, on which two nodes must agree',
    async () => {
      // The database of another pool has no release of this payer.
      const empty = await createTestDatabase()
      const liar = await startUnreliableNode(pool.anvil.rpcUrl)
      try {
        const nodes = [pool.anvil.rpcUrl, liar.rpcUrl].map((url) => createNode(nodeAt(url)))
        const { number } = await pool.client.getBlock({ blockTag: 'finalized' })
        const state = { ...(await readChainState(pool.db)), postedNumber: number } as ChainState
        const find = () => findAfterRestore(empty.db, nodes, pool.chain, { state, journal: null })
        expect((await find()).refusal).toContain(pool.accountOf('payer').address)
        liar.changeAnswer = ({ method }, answer) => (method === 'eth_getLogs' ? { result: [] } : answer)
        await expect(find()).rejects.toThrow(NodesDisagree)
      } finally {
        await Promise.all([empty.drop(), liar.close()])
      }
    },
    TIME_LIMIT_MS,
  )

  it.each(Array.from({ length: MOMENTS }, (_, index) => index))(
    'pays nothing twice and loses nothing after lode restored, moment %i',
    { timeout: TIME_LIMIT_MS },
    async (index) => {
      const database = moments[index] as TestDatabase
      await goToEnd(database)
      const journal = join(pool.folder, `journal-${index}`)
      await copyFile(join(pool.folder, 'signer.journal'), journal)
      const restored = restoredArguments(journal)
      expect(await runLode(database, ...restored)).toContain('Done.')
      expect(await readRows(database, 'session')).toBe(0)

      const worker = await pool.startWorker({ DATABASE_URL: database.urlOf('lode_worker') })
      await waitUntilPosted(database)
      // Safe to repeat: nothing is left to do.
      expect(await runLode(database, ...restored)).toContain('Done. 0 sessions ended')
      await acknowledge(database)
      const signer = await pool.startSigner({
        DATABASE_URL: database.urlOf('lode_signer'),
        SIGNER_JOURNAL: journal,
      })
      await pool.settle(database.db)
      const id = await requestNewTransfer(database)
      await pool.settle(database.db)
      await waitUntilPosted(database)
      expect(await readPayouts(database.db, sql`where id = ${id}`)).toMatchObject([{ ended: 'final' }])

      const released = await readReleasedIds()
      expect(new Set(released).size).toBe(released.length)
      const { rows } = await sql<{ id: string }>`
        select '0x' || lpad(replace(id::text, '-', ''), 64, '0') as id from lode.payout where ended = 'final'`.execute(
        database.db,
      )
      expect(rows.map((row) => row.id).toSorted()).toEqual(released.toSorted())
      await Promise.all([worker.close(), signer.close()])
      expect(await runLode(database, 'audit', '--chain', pool.anvil.rpcUrl)).toContain('Nothing is wrong')
    },
  )
})

async function readRows({ db }: TestDatabase, table: string): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from ${sql.table(`lode.${table}`)}`.execute(db)
  return rows[0]?.count ?? 0
}
