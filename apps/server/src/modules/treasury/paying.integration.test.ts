import { ok } from '@lode/kernel'
import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decimalsOf } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { createTestClock } from '../../testing/clock.ts'
import { btnRefuses, makeBtnHostile } from '../../testing/hostile-token.ts'
import { decideBy, holdCeremony, type TestOperator } from '../../testing/operators.ts'
import { soon, startTestPool, type TestPool } from '../../testing/pool.ts'
import { plainWallet } from '../../testing/wallet.ts'
import { audit, suspenseOf, systemBalances } from '../ledger/index.ts'
import { createOperators, type Pool } from '../operators/index.ts'
import { type PayoutRow, readPayouts } from '../payout/index.ts'
import { listPublicPayments } from './queries.ts'
import { listAddress, listingQuestion, paymentQuestion, returnQuestion } from './questions.ts'
import { wakeForDecisions } from './wake.ts'

/** Runs with a real chain, a worker that posts and a signer that pays. */

let pool: TestPool
let of: Pool
let contracts: Parameters<typeof listingQuestion>[1]
let both: [TestOperator, TestOperator]
let ceremony: Hex
let supplier: Address

beforeAll(async () => {
  pool = await startTestPool({ slotsInAnEpoch: 1, wallets: 2 })
  const { vault, usdt, btn, btc, btcPriceFeed, btnPriceFeed, firstBlock } = pool.contracts
  contracts = {
    vault,
    firstBlock: BigInt(firstBlock),
    tokens: {
      USDT: { address: usdt, decimals: 6 },
      BTN: { address: btn, decimals: 18 },
      BTC: { address: btc, decimals: 8 },
    },
    priceFeeds: { BTC: btcPriceFeed, BTN: btnPriceFeed },
  }
  of = { pool: vault, chainId: pool.anvil.chainId }
  const appointed = await holdCeremony(pool.db, of)
  both = [appointed.alice, appointed.bob]
  ceremony = appointed.ceremony
  await pool.startWorker()
  await pool.finalize()

  supplier = plainWallet().account
  const listing = await listingQuestion(pool.db, contracts, { address: supplier, note: 'a supplier' })
  if (!listing.ok) throw new Error(listing.error)
  await decideBy(pool.db, of, listing.value, both, async (inside, { id, complete }) =>
    complete ? listAddress(inside, id, supplier) : ok(null),
  )
  await createTestClock(pool.db, pool.anvil.rpcUrl).advance(48 * 3_600)
}, 60_000)
afterAll(() => pool.close())

const andWake = async (inside: Database) => {
  await wakeForDecisions(inside)
  return ok(null)
}

async function pay(amount: bigint): Promise<void> {
  const operators = createOperators({ ...of, ceremony })
  const asked = { from: 'reserve:mining', symbol: 'BTN', amount, address: supplier, evidence: 'machines' } as const
  const question = await paymentQuestion(pool.db, { operators, contracts }, asked)
  if (!question.ok) throw new Error(question.error)
  await decideBy(pool.db, of, question.value, both, andWake)
}

const payouts = (): Promise<PayoutRow[]> => readPayouts(pool.db, sql`order by number`)

/** Mines blocks until the condition holds. */
const inTime = (holds: () => Promise<void>): Promise<void> =>
  soon(async () => {
    await pool.mine(1)
    await holds()
  })

describe('what two operators decided', { timeout: 60_000 }, () => {
  it('is not paid by a signer that has no ceremony to know them by, and is by one that has', async () => {
    await pay(700n)
    const unpinned = await pool.startSigner()
    await soon(async () => expect(await payouts()).toMatchObject([{ heldCheck: expect.stringContaining('CEREMONY') }]))
    await unpinned.close()
    const another = await pool.startSigner({ OPERATORS_CEREMONY: 'ab'.repeat(32) })
    await sql`update lode.payout set look_at = lode.now()`.execute(pool.db)
    await soon(async () =>
      expect(await payouts()).toMatchObject([{ heldCheck: expect.stringContaining('chain does not verify') }]),
    )
    await another.close()
    expect(await pool.balanceOf('BTN', supplier)).toBe(0n)

    const signer = await pool.startSigner({ OPERATORS_CEREMONY: ceremony })
    await sql`update lode.payout set look_at = lode.now()`.execute(pool.db)
    await inTime(async () => expect(await payouts()).toMatchObject([{ ended: 'final', heldCheck: null }]))
    expect(await pool.balanceOf('BTN', supplier)).toBe(700n)
    expect((await systemBalances(pool.db))('pool:paying', 'BTN')).toBe(0n)
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

  it('returns to its sender what nobody registered for', async () => {
    const [, sender] = pool.wallets as [PrivateKeyAccount, PrivateKeyAccount]
    const before = await pool.balanceOf('USDT', sender.address)
    await pool.transfer(sender, 'USDT', 900n)
    await pool.finalize()
    const asked = { symbol: 'USDT', amount: 900n, address: sender.address, note: 'sent by mistake' } as const
    const question = await returnQuestion(pool.db, contracts, asked)
    if (!question.ok) throw new Error(question.error)
    await decideBy(pool.db, of, question.value, both, andWake)

    const signer = await pool.startSigner({ OPERATORS_CEREMONY: ceremony })
    await inTime(async () => expect((await payouts()).at(-1)).toMatchObject({ kind: 'suspense', ended: 'final' }))
    expect(await pool.balanceOf('USDT', sender.address)).toBe(before)
    expect(await suspenseOf(pool.db, sender.address)).toEqual([])
    await signer.close()
  })

  it('is taken back where the token will not pay it, after a second try', async () => {
    await makeBtnHostile(pool)
    await btnRefuses(pool, supplier)
    const before = (await systemBalances(pool.db))('reserve:mining', 'BTN')
    await pay(300n)
    const signer = await pool.startSigner({ OPERATORS_CEREMONY: ceremony })
    await inTime(async () =>
      expect((await payouts()).at(-1)).toMatchObject({ amount: 300n, ended: 'reverted', tokenFailures: 2 }),
    )
    const balance = await systemBalances(pool.db)
    expect(balance('reserve:mining', 'BTN')).toBe(before)
    expect(balance('pool:paying', 'BTN')).toBe(0n)
    expect(await pool.balanceOf('BTN', supplier)).toBe(700n)
    await signer.close()
  })

  it('leaves the books as the chain is', async () => {
    const { books, chain } = await pool.custody()
    expect(books).toEqual(chain)
    expect((await audit(pool.db)).findings).toEqual([])
  })
})
