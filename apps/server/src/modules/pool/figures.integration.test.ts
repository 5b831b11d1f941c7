import { poolVaultAbi } from '@lode/contracts'
import { formatAmount, units } from '@lode/kernel'
import { sql } from 'kysely'
import { encodeFunctionData, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connectDatabase } from '../../platform/db/database.ts'
import { startTestApi } from '../../testing/api.ts'
import { type Buyer, type Market, openMarket } from '../../testing/market.ts'
import { soon } from '../../testing/pool.ts'
import { postedBlock, rewindChain } from '../custody/index.ts'
import { post } from '../ledger/index.ts'
import { createPlans } from '../plan/index.ts'
import { readFigures } from './figures.ts'

const USDT = 1_000_000n
const BTN = 10n ** 18n
const decimals = { USDT: 6, BTN: 18, BTC: 8 }

let market: Market
let worker: Awaited<ReturnType<Market['startWorker']>>
beforeAll(async () => {
  market = await openMarket()
  worker = await market.startWorker()
  await market.finalize()
}, 120_000)
afterAll(() => market.close())

/** Reads the figures now, without the cache. */
const figuresNow = () =>
  readFigures({
    db: market.db,
    decimals,
    plans: createPlans({ decimals, operators: null }),
    countOverdue: async () => 0,
    readProduction: async () => ({ effective: '0', last: null }),
  })

/** Makes the worker read the last blocks again. */
async function readAgain(): Promise<void> {
  await worker.close()
  const posted = await postedBlock(market.db)
  await rewindChain(market.db, (posted?.number ?? 0n) - 3n)
  expect((await figuresNow()).books).toMatchObject({ block: Number(posted?.number) - 3, checked: false })
  worker = await market.startWorker()
  await soon(async () => expect((await figuresNow()).books?.checked).toBe(true))
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
    connectDatabase(market.database.urlOf(role), { name: 'figures test' })
  const [api, books] = [as('lode_api'), as('lode_worker')]
  await post(api.db, [
    { type: 'transferRequest', member, key: 'a-fee', moves: [{ ...move, from: available, to: frozenOut }] },
  ])
  await post(books.db, [
    { type: 'transferPaid', key: `chain:31337:${zeroHash}:0`, moves: [{ ...move, from: frozenOut, to: 'burn:due' }] },
  ])
  await Promise.all([api.close(), books.close()])
}

describe('what everybody may know of a pool', { timeout: 120_000 }, () => {
  it('is nothing sold and no plan, where nothing was published', async () => {
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

  it('is what was sold, what of it went to the mining fund, the liquidity in each symbol, and the ratios of the plan', async () => {
    const buyer = await market.buyer()
    await market.deposit(buyer.wallet, 'USDT', 400n * USDT)
    await market.finalize()
    await market.made(buyer, { level: 1, balancePart: '100' })
    await market.made(buyer, { level: 2, balancePart: '200' })
    // A promotion that is only ordered is not sold.
    await market.made(buyer, { level: 3, balancePart: '0' })

    const before = Date.now()
    const { data } = (await market.api.call('pool/figures', {})).body
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
    for (const at of [data.at, data.totals?.at]) expect(Math.abs(Date.parse(at ?? '') - before)).toBeLessThan(60_000)
  })

  it('is what is held and whose it is, compared with the chain at the block as of which it is told', async () => {
    const { books } = await figuresNow()
    const { number } = (await postedBlock(market.db)) ?? { number: 0n }
    expect(books).toMatchObject({ block: Number(number), checked: true })
    for (const { symbol, held, cold } of books?.holdings ?? []) {
      const onChain = await market.balanceOf(symbol, market.contracts.vault, number)
      expect([symbol, held, cold]).toEqual([symbol, formatAmount(units(symbol, onChain), decimals[symbol]), '0'])
    }
    // 400 came in. Of the 300 that were paid for levels, the mining fund has 270, liquidity 15 and operations 6. The
    // partners' 9 are owed, like the buyer's balance.
    expect(books?.holdings[0]).toEqual({ symbol: 'USDT', held: '400', cold: '0', owed: '109', own: '291' })
  })

  it('has nothing compared with the chain while blocks are read again', () => readAgain())

  it('is what was burned, once that is final, and no more where blocks are read again', async () => {
    const buyer = await market.buyer()
    await market.deposit(buyer.wallet, 'BTN', 1_000n * BTN)
    await market.finalize()
    await oweBurn(buyer, 100n * BTN)
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'burn', args: [30n * BTN, zeroHash] })
    await market.mined(market.send(market.key('payer'), market.contracts.vault, data))
    expect((await figuresNow()).burned).toBe('0')
    await market.finalize()
    expect((await figuresNow()).burned).toBe('30')
    await readAgain()
    expect((await figuresNow()).burned).toBe('30')
  })

  it('is counted for all who ask, not for each', async () => {
    const first = (await market.api.call('pool/figures', {})).body.data
    await sql`select pg_sleep(0.01)`.execute(market.db)
    expect((await market.api.call('pool/figures', {})).body.data).toEqual(first)
  })

  it('is told without what cannot be counted in time, and with what was counted last as soon as there is that', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const api = await startTestApi()
    try {
      const ask = async () => {
        const { status, body } = await api.call('pool/figures', {})
        expect([status, body.data.burned]).toEqual([200, '0'])
        return body.data.totals
      }
      const whileNobodyCanCount = () =>
        api.db.transaction().execute(async (inside) => {
          await sql`lock table lode.pay_order in access exclusive mode`.execute(inside)
          return ask()
        })
      expect(await whileNobodyCanCount()).toBeNull()
      vi.advanceTimersByTime(300_001)
      const counted = await ask()
      expect(counted).toMatchObject({ members: 1 })
      vi.advanceTimersByTime(300_001)
      expect(await whileNobodyCanCount()).toEqual(counted)
      expect(api.logs()).toContain('could not be counted in time')
    } finally {
      vi.useRealTimers()
      await api.close()
    }
  })
})
