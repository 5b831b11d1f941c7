import { randomBytes, randomUUID } from 'node:crypto'
import { ok } from '@lode/kernel'
import { sql } from 'kysely'
import { getAddress, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf } from '../../../platform/chain/hex-column.ts'
import { connectDatabase, type Database, type DatabaseConnection } from '../../../platform/db/database.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { holdCeremony, signInTurn } from '../../../testing/operators.ts'
import { amountOf, post } from '../../ledger/index.ts'
import { createAcknowledgedRestores, createOperators, proposeRestoreAcknowledgment } from '../../operators/index.ts'
import { freezePosting } from '../../transfer/index.ts'
import { checkRestoreAcknowledged } from '../journal-check.ts'
import { acknowledgeRestore, readComparedState } from './acknowledge-restore.ts'
import { type JournaledPayout, NOTHING_LOST } from './compare-with-journal.ts'
import { storeRestore } from './store-restore.ts'

const POOL = { pool: getAddress(toHex(0xa0, { size: 20 })), chainId: 31_337 }
const wallet = getAddress(toHex(0xb0, { size: 20 }))

let database: TestDatabase
let worker: DatabaseConnection
let member: bigint
beforeAll(async () => {
  database = await createTestDatabase()
  worker = connectDatabase(database.urlOf('lode_worker'), { name: 'restore test' })
  member = await addMember(wallet)
}, 60_000)
afterAll(async () => {
  await worker.close()
  await database.drop()
})

async function addMember(account: `0x${string}`): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    insert into lode.member (account, invite_code, lang, created_at)
    values (${bytesOf(account)}, 'ABCDEFGH', 'en', lode.now() - interval '10 days') returning id`.execute(database.db)
  return rows[0]?.id ?? 0n
}

const addSession = (hoursAgo: number) =>
  sql`insert into lode.session (id, token_hash, member_id, mode, created_at)
      values (${randomUUID()}, ${randomBytes(32)}, ${member}, 'full', lode.now() - make_interval(hours => ${hoursAgo}))`.execute(
    database.db,
  )

const compared = { journalLines: 3, journalHash: randomBytes(32), chainBlock: 9n }
const restore = (payouts: readonly JournaledPayout[] = []) =>
  storeRestore(database.db, { lost: { ...NOTHING_LOST, payouts }, returned: [], compared })

const buildLostTransfer = (changes: Partial<JournaledPayout> = {}): JournaledPayout => ({
  id: randomUUID(),
  number: '1',
  kind: 'transfer',
  member: wallet,
  asset: 'USDT',
  amount: '10',
  fee: '1',
  feeBurned: '0',
  to: wallet,
  requestedAt: '2026-01-01T00:00:00.000Z',
  planVersion: 1,
  level: 0,
  addressBoundAt: null,
  deviceSeenAt: null,
  paidFrom: null,
  purpose: null,
  decisionId: null,
  decision: null,
  ...changes,
})

describe('what members had begun before the restored moment', () => {
  it('ends: sessions, waiting output addresses and resets, each with a line in the security log', async () => {
    const hash = '$argon2id$test'
    // Nothing later than this session is known.
    await addSession(3)
    // The first was bound before. The second bound after the restored moment, so it may have been canceled in between.
    await sql`
      insert into lode.output_address (member_id, number, address, asked_at, binds_at, message, signature, signature_valid)
      values (${member}, 1, ${randomBytes(20)}, lode.now() - interval '72 hours', lode.now() - interval '24 hours', 'old', '\\x01', true),
             (${member}, 2, ${randomBytes(20)}, lode.now() - interval '49 hours', lode.now() - interval '1 hour', 'new', '\\x02', true)`.execute(
      database.db,
    )
    await sql`
      insert into lode.protection (member_id, hash, chosen_at, reset_hash, reset_asked_at, reset_ends_at)
      values (${member}, ${hash}, lode.now(), ${hash}, lode.now() - interval '8 days', lode.now() - interval '1 hour')`.execute(
      database.db,
    )
    expect(await restore()).toEqual({ sessions: 1, addresses: 1, resets: 1 })
    const { rows: addresses } = await sql`
      select number, cancelled_at is null as counts from lode.output_address order by number`.execute(database.db)
    expect(addresses).toEqual([
      { number: 1, counts: true },
      { number: 2, counts: false },
    ])
    const { rows: lines } = await sql<{ kind: string }>`select kind from lode.security_line order by kind`.execute(
      database.db,
    )
    expect(lines.map(({ kind }) => kind)).toEqual(['output-address-cancelled', 'reset-cancelled', 'sessions-revoked'])
    const { rows: resets } = await sql`select from lode.protection where reset_ends_at is not null`.execute(database.db)
    expect(resets).toEqual([])
  })

  it('ends once: a second run before the acknowledgment leaves newer sessions alone', async () => {
    await addSession(0)
    expect(await restore()).toEqual({ sessions: 0, addresses: 0, resets: 0 })
  })
})

describe('a payout that the database lost', () => {
  const callRestore = async (trx: Database, { id, asset, to }: JournaledPayout, amount: string) => {
    const { rows } = await sql<{ done: boolean }>`
      select lode.restore_payout(${id}, ${asset}, ${amount}::numeric, ${bytesOf(to)}, ${randomBytes(32)}) as done`.execute(
      trx,
    )
    return rows[0]?.done
  }
  const restorePayout = (lost: JournaledPayout, amount: string) =>
    worker.db.transaction().execute((trx) => callRestore(trx, lost, amount))

  it('is made again only with exactly its terms', async () => {
    const lost = buildLostTransfer()
    await restore([lost])
    expect(await restorePayout(lost, '11')).toBe(false)
    expect(await restorePayout({ ...lost, to: getAddress(toHex(1, { size: 20 })) }, '10')).toBe(false)
    expect(await restorePayout({ ...lost, id: randomUUID() }, '10')).toBe(false)
  })

  it('is not made again unless it is paid in the same transaction, so that it is never paid once more', async () => {
    const lost = buildLostTransfer()
    await restore([lost])
    const money = { ...amountOf('USDT', 11n), from: 'custody:vault' } as const
    const line = { type: 'transferIn', operation: randomUUID() } as const
    const deposit = {
      type: 'deposit',
      key: `chain:${POOL.chainId}:${toHex(randomBytes(32))}:0`,
      moves: [{ ...money, to: { kind: 'available', member, line } }],
    } as const
    const freeze = freezePosting({ id: lost.id, memberId: member, asset: 'USDT', amount: 10n, fee: 1n })
    const restoring = worker.db.transaction().execute(async (trx) => {
      expect(await callRestore(trx, lost, '10')).toBe(true)
      expect((await post(trx, [deposit, freeze])).map(({ outcome }) => outcome)).toEqual(['posted', 'posted'])
    })
    await expect(restoring).rejects.toThrow(`payout ${lost.id} was restored and is not paid`)
  })

  it('is not made again if its member is not registered and it went to another address', async () => {
    const lost = buildLostTransfer({ member: getAddress(toHex(0xc0, { size: 20 })) })
    await restore([lost])
    expect(await restorePayout(lost, '10')).toBe(false)
  })
})

describe('a restore', () => {
  it('keeps the signer from paying until two operators have signed what was compared', async () => {
    const { alice, bob, ceremony } = await holdCeremony(database.db, POOL)
    const readAcknowledged = createAcknowledgedRestores(createOperators({ ...POOL, ceremony }))
    const check = () => checkRestoreAcknowledged(database.db, readAcknowledged)
    await expect(check()).rejects.toThrow('two operators must acknowledge it')

    const state = await readComparedState(database.db)
    expect(state).toEqual(compared)
    const terms = { journal: compared.journalHash.toString('hex'), lines: 3, block: '9' }
    // A thief of the operators' database role stores a decision with signatures that are not valid.
    const forged = { ...alice, sign: () => randomBytes(64) }
    const proposal = proposeRestoreAcknowledgment(terms, 'the disk failed')
    await signInTurn(database.db, POOL, proposal, [forged])
    await sql`
      insert into lode.decision_signature (decision_id, place, operator, signature)
      select max(id), 2, ${randomBytes(32)}, ${randomBytes(64)} from lode.decision`.execute(database.db)
    await sql`select lode.acknowledge_restore(max(id)) from lode.decision`.execute(database.db)
    await expect(check()).rejects.toThrow('two operators must acknowledge it')

    await signInTurn(database.db, POOL, proposal, [alice, bob], async (trx, { id, complete }) => {
      if (complete) await acknowledgeRestore(trx, id)
      return ok(null)
    })
    await check()
    expect(await readComparedState(database.db)).toBeNull()
  })
})
