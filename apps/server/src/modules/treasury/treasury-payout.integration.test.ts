import { ok } from '@lode/kernel'
import { sql } from 'kysely'
import { type Address, type Hex, pad } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decimalsOf } from '../../platform/config/pool-contracts.ts'
import { connectDatabase, type Database } from '../../platform/db/database.ts'
import { withoutCauseChecks } from '../../testing/cause-checks.ts'
import { createTestClock } from '../../testing/clock.ts'
import { makeBtnHostile, setBtnRefusal } from '../../testing/hostile-token.ts'
import { holdCeremony, signInTurn, type TestOperator } from '../../testing/operators.ts'
import { startTestPool, type TestPool, waitUntil } from '../../testing/pool.ts'
import { countReversible } from '../../testing/reversible-postings.ts'
import { createTestWallet } from '../../testing/wallet.ts'
import { amountOf, audit, post, readSuspense, readSystemBalances } from '../ledger/index.ts'
import { createOperators, type PoolIdentity } from '../operators/index.ts'
import { type PayoutRow, readPayouts } from '../payout/index.ts'
import { proposeListing, proposePayment, proposeReturn, storeListing } from './proposals.ts'
import { listPublicPayments } from './queries.ts'
import { wakeForDecisions } from './wake-for-decisions.ts'

/** Runs with a real chain, a worker that posts and a signer that pays. */

let pool: TestPool
let poolIdentity: PoolIdentity
let contracts: Parameters<typeof proposeListing>[1]
let bothOperators: [TestOperator, TestOperator]
let ceremony: Hex
let supplier: Address

beforeAll(async () => {
  pool = await startTestPool({ slotsInAnEpoch: 1, wallets: 2 })
  const { vault, usdt, btn, btc, btcPriceFeed, btnPriceFeed, firstBlock } = pool.contracts
  contracts = {
    vault,
    formerVaults: [],
    firstBlock: BigInt(firstBlock),
    tokens: {
      USDT: { address: usdt, decimals: 6 },
      BTN: { address: btn, decimals: 18 },
      BTC: { address: btc, decimals: 8 },
    },
    priceFeeds: { BTC: btcPriceFeed, BTN: btnPriceFeed },
  }
  poolIdentity = { pool: vault, chainId: pool.anvil.chainId }
  const appointed = await holdCeremony(pool.db, poolIdentity)
  bothOperators = [appointed.alice, appointed.bob]
  ceremony = appointed.ceremony
  await pool.startWorker()
  await pool.finalize()

  supplier = createTestWallet().account
  const listing = await proposeListing(pool.db, contracts, { address: supplier, note: 'a supplier' })
  if (!listing.ok) throw new Error(listing.error)
  await signInTurn(pool.db, poolIdentity, listing.value, bothOperators, async (trx, { id, complete }) =>
    complete ? storeListing(trx, id, supplier) : ok(null),
  )
  await createTestClock(pool.db, pool.anvil.rpcUrl).advance(48 * 3_600)
}, 60_000)
afterAll(() => pool.close())

const wakeWorker = async (trx: Database) => {
  await wakeForDecisions(trx)
  return ok(null)
}

async function pay(amount: bigint): Promise<void> {
  const operators = createOperators({ ...poolIdentity, ceremony })
  const asked = { from: 'reserve:mining', symbol: 'BTN', amount, address: supplier, evidence: 'machines' } as const
  const question = await proposePayment(pool.db, { operators, contracts }, asked)
  if (!question.ok) throw new Error(question.error)
  await signInTurn(pool.db, poolIdentity, question.value, bothOperators, wakeWorker)
}

const payouts = (): Promise<PayoutRow[]> => readPayouts(pool.db, sql`order by number`)

/** Mines blocks until the condition holds. */
const mineUntil = (check: () => Promise<void>): Promise<void> =>
  waitUntil(async () => {
    await pool.mine(1)
    await check()
  })

describe('a treasury payment', { timeout: 60_000 }, () => {
  it('is not paid by a signer without a pinned ceremony, and is paid by one with it', async () => {
    await pay(700n)
    const unpinned = await pool.startSigner()
    await waitUntil(async () =>
      expect(await payouts()).toMatchObject([{ heldCheck: expect.stringContaining('CEREMONY') }]),
    )
    await unpinned.close()
    const another = await pool.startSigner({ OPERATORS_CEREMONY: 'ab'.repeat(32) })
    await sql`update lode.payout set look_at = lode.now()`.execute(pool.db)
    await waitUntil(async () =>
      expect(await payouts()).toMatchObject([{ heldCheck: expect.stringContaining('chain does not verify') }]),
    )
    await another.close()
    expect(await pool.balanceOf('BTN', supplier)).toBe(0n)

    const signer = await pool.startSigner({ OPERATORS_CEREMONY: ceremony })
    await sql`update lode.payout set look_at = lode.now()`.execute(pool.db)
    await mineUntil(async () => expect(await payouts()).toMatchObject([{ ended: 'final', heldCheck: null }]))
    expect(await pool.balanceOf('BTN', supplier)).toBe(700n)
    expect((await readSystemBalances(pool.db))('pool:paying', 'BTN')).toBe(0n)
    await signer.close()

    const { items } = await listPublicPayments(pool.db, { limit: 20 }, decimalsOf(contracts))
    expect(items).toMatchObject([
      {
        from: 'reserve:mining',
        purpose: 'machines',
        symbol: 'BTN',
        amount: '0.0000000000000007',
        address: supplier,
        state: 'paid',
        paidAt: expect.any(String),
        tx: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
    ])
  })

  it('can return suspense to its sender', async () => {
    const [, sender] = pool.wallets as [PrivateKeyAccount, PrivateKeyAccount]
    const before = await pool.balanceOf('USDT', sender.address)
    await pool.transfer(sender, 'USDT', 900n)
    await pool.finalize()
    const asked = { symbol: 'USDT', amount: 900n, address: sender.address, note: 'sent by mistake' } as const
    const question = await proposeReturn(pool.db, contracts, asked)
    if (!question.ok) throw new Error(question.error)
    await signInTurn(pool.db, poolIdentity, question.value, bothOperators, wakeWorker)

    const signer = await pool.startSigner({ OPERATORS_CEREMONY: ceremony })
    await mineUntil(async () => expect((await payouts()).at(-1)).toMatchObject({ kind: 'suspense', ended: 'final' }))
    expect(await pool.balanceOf('USDT', sender.address)).toBe(before)
    expect(await readSuspense(pool.db, sender.address)).toEqual([])
    await signer.close()
  })

  it('goes back to its account if the token refuses it twice', async () => {
    await makeBtnHostile(pool)
    await setBtnRefusal(pool, supplier)
    const before = (await readSystemBalances(pool.db))('reserve:mining', 'BTN')
    await pay(300n)
    const signer = await pool.startSigner({ OPERATORS_CEREMONY: ceremony })
    await mineUntil(async () =>
      expect((await payouts()).at(-1)).toMatchObject({ amount: 300n, ended: 'reverted', tokenFailures: 2 }),
    )
    const balance = await readSystemBalances(pool.db)
    expect(balance('reserve:mining', 'BTN')).toBe(before)
    expect(balance('pool:paying', 'BTN')).toBe(0n)
    expect(await pool.balanceOf('BTN', supplier)).toBe(700n)
    await signer.close()
  })

  it('cannot be undone by two operators as a false posting, in any of its states', async () => {
    expect(await countReversible(pool.db)).toMatchObject({
      treasuryPay: 0,
      treasuryPaid: 0,
      treasuryUndone: 0,
      suspenseDeposit: 0,
      suspenseReturn: 0,
      suspenseReturnPaid: 0,
    })
  })

  it('leaves the ledger equal to the chain', async () => {
    const { books, chain } = await pool.readCustody()
    expect(books).toEqual(chain)
    expect((await audit(pool.db)).findings).toEqual([])
  })
})

// The last of the file: no log of the chain explains the loss that it invents.
describe('a treasury payment of an asset', { timeout: 60_000 }, () => {
  it('is refused while something of it is missing, also if it was signed before', async () => {
    const operators = createOperators({ ...poolIdentity, ceremony })
    const asked = { from: 'reserve:mining', symbol: 'BTN', amount: 5n, address: supplier, evidence: 'late' } as const
    const before = await proposePayment(pool.db, { operators, contracts }, asked)
    if (!before.ok) throw new Error(before.error)
    const asWorker = connectDatabase(pool.database.urlOf('lode_worker'), { name: 'loss', max: 1 })
    const loss = (type: 'writeOff' | 'lossFunding', log: number) => {
      const key = `chain:${pool.anvil.chainId}:${pad('0x77', { size: 32 })}:${log}` as const
      const lost = { ...amountOf('BTN', 1n), from: 'pool:loss', to: 'custody:vault' } as const
      const found = { ...amountOf('BTN', 1n), from: 'custody:vault', to: 'pool:loss' } as const
      return withoutCauseChecks(pool.db, () =>
        post(asWorker.db, [type === 'writeOff' ? { type, key, moves: [lost] } : { type, key, moves: [found] }]),
      )
    }
    await loss('writeOff', 1)
    expect(await proposePayment(pool.db, { operators, contracts }, asked)).toMatchObject({
      error: expect.stringContaining('BTN is missing'),
    })
    await signInTurn(pool.db, poolIdentity, before.value, bothOperators, wakeWorker)
    await waitUntil(async () => {
      const { rows } = await sql<{ reason: string }>`
        select reason from lode.decision_outcome where reason is not null`.execute(pool.db)
      expect(rows).toEqual([{ reason: expect.stringContaining('BTN is missing') }])
    })
    await loss('lossFunding', 2)
    await asWorker.close()
    expect(await proposePayment(pool.db, { operators, contracts }, asked)).toMatchObject({ ok: true })
  })
})
