import { randomUUID } from 'node:crypto'
import { type Asset, ok } from '@lode/kernel'
import { sql } from 'kysely'
import { type Hex, pad, toHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type Database, type DatabaseConnection } from '../../platform/db/database.ts'
import type { RunningSigner } from '../../processes/signer.ts'
import { withoutCauseChecks } from '../../testing/cause-checks.ts'
import { setPostedBack } from '../../testing/chain-stop.ts'
import { createTestClock, type TestClock } from '../../testing/clock.ts'
import { holdCeremony, signAs, signInTurn, type TestOperator } from '../../testing/operators.ts'
import { startTestPool, type TestPool, waitUntil } from '../../testing/pool.ts'
import { amountOf, causeFindings, post, readBalances, readSystemBalances } from '../ledger/index.ts'
import type { PoolIdentity, Proposal } from '../operators/index.ts'
import { wakeForDecisions } from '../treasury/index.ts'
import {
  listCorrections,
  listFalsePostings,
  listReversals,
  listStoppedAssets,
  proposeReversal,
  proposeWriteOff,
} from './index.ts'
import { reversalSubject, writeOffSubject } from './rules.ts'

/** Runs with a real chain, a worker and a signer. A thief with the worker's role has posted deposits that never came. */

const HOURS = 3_600

let pool: TestPool
let identity: PoolIdentity
let operators: readonly TestOperator[]
let ceremony: Hex
let asWorker: DatabaseConnection
let asOperator: DatabaseConnection
let member: bigint
let wallet: PrivateKeyAccount
let signer: RunningSigner
let clock: TestClock

beforeAll(async () => {
  pool = await startTestPool({ slotsInAnEpoch: 1, wallets: 2 })
  clock = createTestClock(pool.db, pool.anvil.rpcUrl)
  identity = { pool: pool.contracts.vault, chainId: pool.anvil.chainId }
  const held = await holdCeremony(pool.db, identity)
  operators = [held.alice, held.bob]
  ceremony = held.ceremony
  asWorker = connectDatabase(pool.database.urlOf('lode_worker'), { name: 'reverse test', max: 2 })
  asOperator = connectDatabase(pool.database.urlOf('lode_operator'), { name: 'operator', max: 2 })
  ;[wallet] = pool.wallets as [PrivateKeyAccount]
  member = await pool.addMember(wallet)
  await pool.startWorker({ CHAIN_BELIEVED_AFTER_MS: '100' })
  await pool.transfer(wallet, 'USDT', 1_000n)
  await pool.transfer(wallet, 'BTC', 1_000n)
  await pool.finalize()
  signer = await pool.startSigner({ OPERATORS_CEREMONY: ceremony })
}, 60_000)
afterAll(async () => {
  await asWorker.close()
  await asOperator.close()
  await pool.close()
})

const signerStatus = async (): Promise<string> =>
  ((await (await fetch(`${signer.url}/readyz`)).json()) as { status: string }).status

const keyOf = (log: number) => `chain:${pool.anvil.chainId}:${pad(toHex(log), { size: 32 })}:0` as const

const depositOf = (log: number, asset: Asset, amount: bigint) =>
  ({
    type: 'deposit',
    key: keyOf(log),
    moves: [
      {
        ...amountOf(asset, amount),
        from: 'custody:vault',
        to: { kind: 'available', member, line: { type: 'transferIn', operation: randomUUID() } },
      },
    ],
  }) as const

const wakeWorker = async (trx: Database) => {
  await wakeForDecisions(trx)
  return ok(null)
}

const sign = (proposal: Proposal) => signInTurn(pool.db, identity, proposal, operators, wakeWorker)

async function decideToReverse(key: string, of = 0n): Promise<void> {
  const proposal = await proposeReversal(asOperator.db, { member: of, key, note: 'the chain never had it' })
  if (!proposal.ok) throw new Error(proposal.error)
  await sign(proposal.value)
}

const announced = (key: string) =>
  waitUntil(async () => {
    const found = (await listReversals(asOperator.db)).find((one) => one.key === key)
    if (!found) throw new Error('it is not announced')
    return found
  })

const ended = (key: string) =>
  waitUntil(async () => {
    // The worker's minutely job may have run just before the clock was moved.
    await wakeForDecisions(pool.db)
    const found = (await listReversals(asOperator.db)).find((one) => one.key === key)
    expect(found?.ended).not.toBeNull()
    return found?.ended
  })

const available = async (asset: Asset) => (await readBalances(pool.db, member))[asset].available
const missing = async (asset: Asset) => -(await readSystemBalances(pool.db))('pool:loss', asset)

/** A decision that two operators sign without the checks of the command, as they could with their own program. */
const forcedProposal = (key: string, of: bigint, terms: { type: string; symbol: Asset; amount: string }): Proposal => ({
  verb: 'reverse',
  subject: reversalSubject(String(of), key),
  needed: 2,
  validHours: 24,
  terms: { member: String(of), key, ...terms, note: 'forced' },
})

describe('a false posting', { timeout: 60_000 }, () => {
  it('stops the signer, which says what the chain lacks; two operators undo it 72 hours later', async () => {
    await post(asWorker.db, [depositOf(1, 'USDT', 300n)])
    const [found] = await waitUntil(async () => {
      const list = await listFalsePostings(asOperator.db)
      expect(list).toHaveLength(1)
      return list
    })
    expect(found).toEqual({ type: 'deposit', key: keyOf(1), asset: 'USDT', amount: 300n })
    expect(await signerStatus()).toContain('there is no such log')

    const proposal = await proposeReversal(asOperator.db, { member: 0n, key: keyOf(1), note: 'the chain never had it' })
    if (!proposal.ok) throw new Error(proposal.error)
    const [alice, bob] = operators as readonly [TestOperator, TestOperator]
    expect(await signAs(pool.db, identity, proposal.value, alice, wakeWorker)).toBe(1)
    expect(await listReversals(asOperator.db)).toEqual([])
    expect(await signAs(pool.db, identity, proposal.value, bob, wakeWorker)).toBe(2)
    const { dueAt } = await announced(keyOf(1))
    const { rows } = await sql<{ notice: Date; member_id: bigint; told_ms: number }>`
      select at as notice, member_id, 1000 * extract(epoch from ${dueAt}::timestamptz - at)::float8 as told_ms
      from lode.notice where reversal_id is not null`.execute(pool.db)
    expect(rows).toEqual([expect.objectContaining({ member_id: member })])
    expect(rows[0]?.told_ms).toBeGreaterThanOrEqual(72 * HOURS * 1_000 - 1)

    const { rows: decided } = await sql<{ id: bigint }>`select decision_id as id from lode.reversal`.execute(pool.db)
    const early = sql<{ answer: string }>`select lode.reverse_posting(${decided[0]?.id}) as answer`
    await clock.advance(71 * HOURS)
    expect((await early.execute(asWorker.db)).rows[0]?.answer).toBe('early')
    expect(await available('USDT')).toBe(1_300n)
    await clock.advance(1 * HOURS + 60)
    expect(await ended(keyOf(1))).toBe('posted')

    expect(await available('USDT')).toBe(1_000n)
    expect(await missing('USDT')).toBe(0n)
    const { rows: lines } = await sql`
      select amount from lode.log_line join lode.ledger_log_type on code = type
      where member = ${member} and name = 'reversal'`.execute(pool.db)
    expect(lines).toEqual([{ amount: '-300' }])
    await pool.finalize()
    await waitUntil(async () => expect(await signerStatus()).toBe('ready'))
    const { books, chain } = await pool.readCustody()
    expect(books).toEqual(chain)
    expect(await causeFindings(pool.db)).toEqual([])
  })

  it('is undone only as far as the member has it; the rest is missing', async () => {
    await post(asWorker.db, [depositOf(2, 'BTC', 500n)])
    await spend('BTC', 1_300n)
    await waitUntil(async () => expect(await listFalsePostings(asOperator.db)).toHaveLength(1))
    await decideToReverse(keyOf(2))
    await announced(keyOf(2))
    await clock.advance(72 * HOURS + 60)
    expect(await ended(keyOf(2))).toBe('posted')
    expect(await available('BTC')).toBe(0n)
    expect(await missing('BTC')).toBe(300n)
    expect(await proposeReversal(asOperator.db, { member: 0n, key: keyOf(2), note: 'again' })).toMatchObject({
      error: expect.stringContaining('undone before'),
    })
  })

  it('of a member who has nothing left is missing as a whole', async () => {
    await post(asWorker.db, [depositOf(3, 'BTC', 40n)])
    await spend('BTC', 40n)
    await waitUntil(async () => expect(await listFalsePostings(asOperator.db)).toHaveLength(1))
    await decideToReverse(keyOf(3))
    await announced(keyOf(3))
    await clock.advance(72 * HOURS + 60)
    expect(await ended(keyOf(3))).toBe('posted')
    expect([await available('BTC'), await missing('BTC')]).toEqual([0n, 340n])
    const { rows } = await sql`
      select key from lode.ledger_transaction posted join lode.ledger_type on code = type
      where name = 'reverse' and not lode.is_caused(posted)`.execute(pool.db)
    expect(rows).toEqual([])
  })

  it('without a cause in the database is undone, too', async () => {
    const airdrop = {
      type: 'airdropForActive',
      member,
      key: 'airdrop:invented',
      moves: [
        {
          ...amountOf('BTN', 9n),
          from: 'reserve:airdrop',
          to: { kind: 'available', member, line: { type: 'airdropForActive', operation: 'invented' } },
        },
      ],
    } as const
    await withoutCauseChecks(pool.db, () => post(asWorker.db, [airdrop]))
    expect(await causeFindings(pool.db)).toContainEqual(expect.stringContaining('airdrop:invented'))
    await decideToReverse('airdrop:invented', member)
    await announced('airdrop:invented')
    await clock.advance(72 * HOURS + 60)
    expect(await ended('airdrop:invented')).toBe('posted')
    expect(await available('BTN')).toBe(0n)
    expect(await causeFindings(pool.db)).not.toContainEqual(expect.stringContaining('airdrop:invented'))
  })

  it('is not undone if the nodes have its log after all', async () => {
    await sql`insert into lode.missing_log (key) values (${await realKey()})`.execute(pool.db)
    await decideToReverse(await realKey())
    await announced(await realKey())
    await sql`delete from lode.missing_log where key = ${await realKey()}`.execute(pool.db)
    await clock.advance(72 * HOURS + 60)
    expect(await ended(await realKey())).toBe('caused')
    expect(await available('USDT')).toBe(1_000n)
  })

  it('under a transaction that exists is undone, and the real deposit of this transaction is credited', async () => {
    const tx = await pool.transfer(wallet, 'BTN', 70n)
    const key = `chain:${pool.anvil.chainId}:${tx}:99` as const
    await post(asWorker.db, [{ ...depositOf(4, 'BTN', 500n), key }])
    // The asset stops before the real deposit is posted, so its block is read again when the stop ends.
    await pool.mine(3)
    await waitUntil(async () =>
      expect((await listStoppedAssets(asOperator.db)).map((one) => one.asset)).toEqual(['BTN']),
    )
    await pool.finalize()
    expect(await available('BTN')).toBe(500n)
    await waitUntil(async () => expect(await listFalsePostings(asOperator.db)).toHaveLength(1))

    // Two operators let the worker read the block again before the posting is undone.
    const { blockNumber } = await pool.client.getTransactionReceipt({ hash: tx })
    await setPostedBack(pool.db, blockNumber - 1n)
    await pool.finalize()
    await waitUntil(async () => expect(await listFalsePostings(asOperator.db)).toHaveLength(1))

    await decideToReverse(key)
    await announced(key)
    await clock.advance(72 * HOURS + 60)
    expect(await ended(key)).toBe('posted')
    await pool.finalize()
    await waitUntil(async () => expect(await available('BTN')).toBe(70n))
    await waitUntil(async () => expect(await signerStatus()).toBe('ready'))
    expect(await listStoppedAssets(asOperator.db)).toEqual([])
    const { books, chain } = await pool.readCustody()
    expect(books).toEqual(chain)

    // The reversal alone is enough for the worker.
    await sql`delete from lode.missing_log where key = ${key}`.execute(pool.db)
    await setPostedBack(pool.db, blockNumber - 1n)
    await pool.finalize()
    expect(await available('BTN')).toBe(70n)
    await sql`insert into lode.missing_log (key) values (${key})`.execute(pool.db)
  })
})

describe('a false posting that stops its asset', { timeout: 60_000 }, () => {
  it('is ended by its reversal only: a write-off of what seems to be missing is refused', async () => {
    await post(asWorker.db, [depositOf(5, 'BTN', 40n)])
    await pool.mine(3)
    await waitUntil(async () => expect(await listFalsePostings(asOperator.db)).toHaveLength(1))
    const { amount, cause, from } = await waitUntil(readStop)
    expect(amount).toBe(40n)
    expect(await listStoppedAssets(asOperator.db)).toMatchObject([{ asset: 'BTN', loss: null, hasFalsePosting: true }])
    expect(await proposeWriteOff(asOperator.db, { symbol: 'BTN', amount, cause, note: 'x' })).toMatchObject({
      error: expect.stringContaining('a posting of BTN is false'),
    })

    const terms = {
      symbol: 'BTN',
      amount: String(amount),
      from,
      cause,
      arrived: '0',
      note: 'written off anyway',
    } as const
    const forced = {
      verb: 'write-off',
      subject: writeOffSubject('BTN', cause),
      needed: 2,
      validHours: 24,
      terms,
    } as const
    for (const when of ['before', 'while it is announced']) {
      await sign({ ...forced, terms: { ...terms, note: when } })
      const outcome = await waitUntil(async () => {
        const found = (await listCorrections(asOperator.db)).find(({ note }) => note === when)
        if (!found) throw new Error('it has no outcome')
        return found
      })
      expect(outcome.refused).toContain('a posting of this asset is false')
      if (when === 'before') {
        await decideToReverse(keyOf(5))
        await announced(keyOf(5))
      }
    }
    await clock.advance(72 * HOURS + 60)
    expect(await ended(keyOf(5))).toBe('posted')
    await pool.finalize()
    await waitUntil(async () => expect(await signerStatus()).toBe('ready'))
    expect(await listStoppedAssets(asOperator.db)).toEqual([])
    const { books, chain } = await pool.readCustody()
    expect(books).toEqual(chain)
    expect(await missing('BTN')).toBe(0n)
  })
})

describe('a posting with a valid cause', { timeout: 60_000 }, () => {
  it('is not undone, whatever two operators sign', async () => {
    const key = await realKey()
    expect(await proposeReversal(asOperator.db, { member: 0n, key, note: 'x' })).toMatchObject({
      error: expect.stringContaining('has a valid cause'),
    })
    await sign(forcedProposal(key, 0n, { type: 'deposit', symbol: 'USDT', amount: '1000' }))
    const refusal = await waitUntil(async () => {
      const found = (await listCorrections(asOperator.db)).find(({ note }) => note === 'forced')
      if (!found) throw new Error('it has no outcome')
      return found.refused
    })
    expect(refusal).toBe('this posting has a valid cause')
  })

  it('is not undone, of whatever type; only where the log is the whole cause, a missing log makes it false', async () => {
    const done = new Error('rolled back')
    const tried = pool.db.transaction().execute(async (trx) => {
      await sql`
        create or replace function lode.is_caused(posted lode.ledger_transaction) returns boolean
        language sql as 'select true'`.execute(trx)
      await sql`
        insert into lode.ledger_transaction (id, member, key, input_hash, type, posted_at)
        select -code, 0, 'chain:' || name, '\\x00', code, lode.now() from lode.ledger_type`.execute(trx)
      const findReversible = async () => {
        const { rows } = await sql<{ name: string }>`
          select name from lode.ledger_type cross join lateral lode.find_reversal(0, 'chain:' || name) found
          where found.problem is distinct from 'caused' order by code`.execute(trx)
        return rows.map(({ name }) => name)
      }
      expect(await findReversible()).toEqual([])
      await sql`insert into lode.missing_log (key) select 'chain:' || name from lode.ledger_type`.execute(trx)
      expect(await findReversible()).toEqual([
        ...['deposit', 'suspenseDeposit', 'dividendFunding', 'reserveFunding', 'coldMove', 'coldReturn', 'burn'],
        ...['writeOff', 'lossFunding'],
      ])
      throw done
    })
    await expect(tried).rejects.toBe(done)
  })

  it('is not undone by a thief with the passwords of worker and operator, who writes what a decision would write', async () => {
    const moves = [
      {
        ...amountOf('USDT', 10n),
        from: { kind: 'available', member, line: { type: 'reversal', operation: 'r' } },
        to: 'custody:vault',
      },
    ] as const
    await expect(post(asWorker.db, [{ type: 'reverse', key: 'correction:r', moves }])).rejects.toThrow('has no cause')
    for (const table of ['reversal', 'missing_log', 'correction', 'notice'])
      await expect(sql`insert into ${sql.table(`lode.${table}`)} default values`.execute(asWorker.db)).rejects.toThrow(
        'permission denied',
      )
  })
})

/** What the worker stored about the only stop: what seems to be missing. */
async function readStop() {
  const { rows } = await sql<{ amount: string; place: 'vault' | 'cold'; block: bigint }>`
    select amount, place, block_number as block from lode.asset_stop where tx is null`.execute(pool.db)
  const [stop] = rows
  if (!stop) throw new Error('no asset is stopped')
  return { amount: BigInt(stop.amount), from: stop.place, cause: `block:${stop.block}` }
}

/** Freezes a part of the member's balance without a transfer, as somebody with the owner's password could. */
const spend = (asset: Asset, amount: bigint): Promise<unknown> =>
  withoutCauseChecks(pool.db, () => {
    const line = { type: 'transferOut', operation: randomUUID() } as const
    const move = {
      ...amountOf(asset, amount),
      from: { kind: 'available', member, line },
      to: { kind: 'frozenOut', member, line },
    } as const
    return post(asWorker.db, [{ type: 'transferRequest', member, key: line.operation, moves: [move] }])
  })

/** The key of the member's real deposit of USDT. */
async function realKey(): Promise<string> {
  const { rows } = await sql<{ key: string }>`
    select key from lode.ledger_transaction join lode.ledger_type on code = type
    where name = 'deposit' order by ledger_transaction.id limit 1`.execute(pool.db)
  return rows[0]?.key ?? ''
}
