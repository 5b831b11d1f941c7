import { poolVaultAbi } from '@lode/contracts'
import { formatAmount, units } from '@lode/kernel'
import { sql } from 'kysely'
import { encodeFunctionData, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase } from '../../platform/db/database.ts'
import { startTestApi, testPool } from '../../testing/api.ts'
import { withoutCauseChecks } from '../../testing/cause-checks.ts'
import { setPostedBack } from '../../testing/chain-stop.ts'
import { type Buyer, type OrderFixture, startOrderFixture } from '../../testing/order-fixture.ts'
import { waitUntil } from '../../testing/pool.ts'
import { readPostedBlock } from '../custody/index.ts'
import { post } from '../ledger/index.ts'
import { createOperators } from '../operators/index.ts'
import { createPlans } from '../plan/index.ts'
import { poolFindings } from './check.ts'
import { readFigures } from './figures.ts'
import { readPoolHealth } from './pool-health.ts'
import { addUpPoolChanges } from './totals.ts'

const USDT = 1_000_000n
const BTN = 10n ** 18n
const decimals = { USDT: 6, BTN: 18, BTC: 8 }

let fixture: OrderFixture
let worker: Awaited<ReturnType<OrderFixture['startWorker']>>
beforeAll(async () => {
  fixture = await startOrderFixture()
  worker = await fixture.startWorker()
  await fixture.finalize()
}, 120_000)
afterAll(() => fixture.close())

/** Reads the figures now, without the cache. */
const figuresNow = () =>
  readFigures({
    db: fixture.db,
    decimals,
    plans: createPlans({ decimals, operators: null }),
    countOverdue: async () => 0,
    readProduction: async () => ({ effective: '0', last: null }),
    readHealth: () =>
      readPoolHealth(fixture.db, createOperators({ ...testPool(), ceremony: null }), fixture.contracts.vault),
  })

/** Makes the worker read the last blocks again. */
async function rewindAndReadAgain(): Promise<void> {
  await worker.close()
  const posted = await readPostedBlock(fixture.db)
  await setPostedBack(fixture.db, (posted?.number ?? 0n) - 3n)
  expect((await figuresNow()).books).toMatchObject({ block: Number(posted?.number) - 3, checked: false })
  worker = await fixture.startWorker()
  await waitUntil(async () => expect((await figuresNow()).books?.checked).toBe(true))
}

/** Posts a transfer whose whole fee is to be burned, as the settlement of a payout would. */
async function oweBurn({ id: member }: Buyer, amount: bigint): Promise<void> {
  const line = { type: 'transferOut', operation: 'a-fee' } as const
  const [available, frozenOut] = [
    { kind: 'available', member, line } as const,
    { kind: 'frozenOut', member, line } as const,
  ]
  const move = { asset: 'BTN', amount: units('BTN', amount) } as const
  const as = (role: 'lode_api' | 'lode_worker') =>
    connectDatabase(fixture.database.urlOf(role), { name: 'figures test' })
  const [api, books] = [as('lode_api'), as('lode_worker')]
  await withoutCauseChecks(fixture.db, async () => {
    await post(api.db, [
      { type: 'transferRequest', member, key: 'a-fee', moves: [{ ...move, from: available, to: frozenOut }] },
    ])
    await post(books.db, [
      { type: 'transferPaid', key: `chain:31337:${zeroHash}:0`, moves: [{ ...move, from: frozenOut, to: 'burn:due' }] },
    ])
  })
  await Promise.all([api.close(), books.close()])
}

describe('the public figures of a pool', { timeout: 120_000 }, () => {
  it('are zero and without a plan in a new pool', async () => {
    const api = await startTestApi()
    try {
      const { data } = (await api.call('pool/figures', {})).body
      expect(data).toMatchObject({ transfersOverdue: 0, plan: null, burned: '0', books: null })
      expect(data.liquidity).toEqual([
        { symbol: 'USDT', amount: '0' },
        { symbol: 'BTN', amount: '0' },
      ])
      expect(data.totals).toMatchObject({ members: 1, units: 0, power: 0, investment: '0', pledges: 0, pledged: '0' })
      expect(data.production).toEqual({ effective: '0', last: null })
    } finally {
      await api.close()
    }
  })

  it('show what was sold, its part for the mining fund, the liquidity, and the ratios of the plan', async () => {
    const buyer = await fixture.buyer()
    await fixture.deposit(buyer.wallet, 'USDT', 400n * USDT)
    await fixture.finalize()
    await fixture.placeOrder(buyer, { level: 1, balancePart: '100' })
    await fixture.placeOrder(buyer, { level: 2, balancePart: '200' })
    // A promotion that is only ordered is not sold.
    await fixture.placeOrder(buyer, { level: 3, balancePart: '0' })

    const before = Date.now()
    const { data } = (await fixture.api.call('pool/figures', {})).body
    // The first member is not activated and misses its parts, and there is no sharing expert. So 90 percent goes to the
    // mining fund.
    expect(data.totals).toMatchObject({ members: 2, units: 2, power: 6, investment: '270' })
    expect(data.liquidity[0]).toEqual({ symbol: 'USDT', amount: '15' })
    expect(data.plan).toEqual({
      version: 1,
      issuance: '1000000000',
      airdrop: 3_000,
      promotion: 2_000,
      destruction: 5_000,
    })
    expect(Math.abs(Date.parse(data.at) - before)).toBeLessThan(60_000)
  })

  it('show what is held, owed and own, compared with the chain at the posted block', async () => {
    const { books } = await figuresNow()
    const { number } = (await readPostedBlock(fixture.db)) ?? { number: 0n }
    expect(books).toMatchObject({ block: Number(number), checked: true })
    for (const { symbol, held, cold } of books?.holdings ?? []) {
      const onChain = await fixture.balanceOf(symbol, fixture.contracts.vault, number)
      expect([symbol, held, cold]).toEqual([symbol, formatAmount(units(symbol, onChain), decimals[symbol]), '0'])
    }
    // 400 came in. Of the 300 that were paid for levels, the mining fund has 270, liquidity 15 and operations 6. The
    // partners' 9 are owed, like the buyer's balance.
    expect(books?.holdings[0]).toEqual({
      symbol: 'USDT',
      held: '400',
      cold: '0',
      owed: '109',
      own: '291',
      missing: '0',
    })
  })

  it('are marked as unchecked while blocks are read again', () => rewindAndReadAgain())

  it('count a burn once it is final, and only once if blocks are read again', async () => {
    const buyer = await fixture.buyer()
    await fixture.deposit(buyer.wallet, 'BTN', 1_000n * BTN)
    await fixture.finalize()
    await oweBurn(buyer, 100n * BTN)
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'burn', args: [30n * BTN, zeroHash] })
    await fixture.mined(fixture.send(fixture.accountOf('payer'), fixture.contracts.vault, data))
    expect((await figuresNow()).burned).toBe('0')
    await fixture.finalize()
    expect((await figuresNow()).burned).toBe('30')
    await rewindAndReadAgain()
    expect((await figuresNow()).burned).toBe('30')
  })

  it('are cached for all callers', async () => {
    const first = (await fixture.api.call('pool/figures', {})).body.data
    await sql`select pg_sleep(0.01)`.execute(fixture.db)
    expect((await fixture.api.call('pool/figures', {})).body.data).toEqual(first)
  })

  it('keep their totals when the worker adds up the changes, also if two do it at once', async () => {
    const countChanges = async () =>
      (await sql<{ count: number }>`select count(*)::int from lode.pool_change`.execute(fixture.db)).rows[0]?.count
    const before = (await figuresNow()).totals
    await fixture.buyer()
    const after = { ...before, members: before.members + 1 }
    expect(await countChanges()).toBeGreaterThan(0)
    expect((await figuresNow()).totals).toEqual(after)
    await Promise.all([addUpPoolChanges(fixture.db), addUpPoolChanges(fixture.db)])
    expect(await countChanges()).toBe(0)
    expect((await figuresNow()).totals).toEqual(after)
    expect(await poolFindings(fixture.db)).toEqual([])
  })

  it('are found by the audit if their totals are wrong', async () => {
    await sql`update lode.pool_total set members = members + 1`.execute(fixture.db)
    expect(await poolFindings(fixture.db)).toEqual(['the kept totals differ from the members, promotions and pledges'])
    await sql`update lode.pool_total set members = members - 1`.execute(fixture.db)
  })
})
