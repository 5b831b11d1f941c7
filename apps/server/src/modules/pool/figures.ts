import { type Asset, formatAmount, units } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { readClock } from '../../platform/clock/clock.ts'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { readInSnapshot } from '../../platform/db/read-in-snapshot.ts'
import { readPostedBlock, sumBurned } from '../custody/index.ts'
import { computeHoldings, readSystemBalances } from '../ledger/index.ts'
import type { Plans } from '../plan/index.ts'
import { countOpenAnnouncements } from '../vault/index.ts'
import { listPublicProblems, type PoolHealth } from './pool-health.ts'
import { readTotals } from './totals.ts'

type Figures = DataOf<'pool/figures'>

type FigureSources = {
  readonly db: Database
  readonly plans: Plans
  readonly decimals: Decimals
  readonly countOverdue: () => Promise<number>
  readonly readProduction: () => Promise<Figures['production']>
  readonly readHealth: () => Promise<PoolHealth>
}

/** Reads some hundreds of rows, however many members the pool has. */
export async function readFigures(sources: FigureSources): Promise<Figures> {
  const { db, plans, decimals, countOverdue, readProduction, readHealth } = sources
  const [transfersOverdue, announcements, plan, production, health, books] = await Promise.all([
    countOverdue(),
    countOpenAnnouncements(db),
    plans.inForce(db),
    readProduction(),
    readHealth(),
    // Custody and the posted block change in one transaction of the worker, so both are read in one snapshot.
    readInSnapshot(db, async (snapshot) => ({
      at: await readClock(snapshot),
      balance: await readSystemBalances(snapshot),
      block: await readPostedBlock(snapshot),
      burned: await sumBurned(snapshot),
      totals: await readTotals(snapshot, decimals),
    })),
  ])
  const { at, balance, block, burned, totals } = books
  const amount = (symbol: Asset, value: bigint) => formatAmount(units(symbol, value), decimals[symbol])
  return {
    at: at.toISOString(),
    totals,
    transfersOverdue,
    announcements,
    problems: listPublicProblems(health),
    liquidity: [
      { symbol: 'USDT', amount: amount('USDT', balance('pool:liquidity', 'USDT')) },
      { symbol: 'BTN', amount: amount('BTN', balance('reserve:liquidity', 'BTN')) },
    ],
    burned: amount('BTN', burned),
    books: block && {
      block: Number(block.number),
      blockAt: block.time.toISOString(),
      checked: block.isChecked,
      holdings: computeHoldings(balance).map(({ symbol, held, cold, owed, own, missing }) => ({
        symbol,
        held: amount(symbol, held),
        cold: amount(symbol, cold),
        owed: amount(symbol, owed),
        own: amount(symbol, own),
        missing: amount(symbol, missing),
      })),
    },
    plan: plan && {
      version: plan.version,
      issuance: formatAmount(plan.supply.issuance, decimals.BTN),
      airdrop: plan.supply.airdrop,
      promotion: plan.supply.promotion,
      destruction: plan.destruction,
    },
    production,
  }
}
