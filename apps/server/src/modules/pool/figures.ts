import { type Asset, formatAmount, units } from '@lode/kernel'
import { type DataOf, orderTypes } from '@lode/wire'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { readClock } from '../../platform/clock/clock.ts'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { isDatabaseUnavailable } from '../../platform/db/database-unavailable.ts'
import { readInSnapshot } from '../../platform/db/read-in-snapshot.ts'
import { readPostedBlock, sumBurned } from '../custody/index.ts'
import { computeHoldings, readSystemBalances } from '../ledger/index.ts'
import type { Plans } from '../plan/index.ts'
import { countOpenAnnouncements } from '../vault/index.ts'
import { listPublicProblems, type PoolHealth } from './pool-health.ts'

type Figures = DataOf<'pool/figures'>

export type FigureSources = {
  readonly db: Database
  readonly plans: Plans
  readonly decimals: Decimals
  readonly log: Logger
  readonly countOverdue: () => Promise<number>
  readonly readProduction: () => Promise<Figures['production']>
  readonly readHealth: () => Promise<PoolHealth>
}

/** Reads the figures that need few rows: the pool's own few hundred ledger accounts, however many members it has. */
export async function readFigures(sources: Omit<FigureSources, 'log'>): Promise<Omit<Figures, 'totals'>> {
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
    })),
  ])
  const { at, balance, block, burned } = books
  const amount = (symbol: Asset, value: bigint) => formatAmount(units(symbol, value), decimals[symbol])
  return {
    at: at.toISOString(),
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

/**
 * Counts the totals over whole tables, which takes longer as they grow. A running sum would make all promotions wait
 * for each other, and nobody needs the totals to the minute.
 */
async function countTotals({ db, decimals }: Pick<FigureSources, 'db' | 'decimals'>): Promise<Figures['totals']> {
  const { rows } = await sql<{
    at: Date
    members: number
    units: number
    power: string
    investment: string
    pledges: number
    pledged: string
  }>`
    select lode.now() as at, (select count(*) from lode.member)::int as members, sold.*, locked.*
    from (
      select count(*)::int as units, coalesce(sum(power), 0) as power, coalesce(sum(to_mining), 0) as investment
      from lode.pay_order where type = ${orderTypes.promotion} and ended = 'success'
    ) sold, (
      select count(*)::int as pledges, coalesce(sum(amount), 0) as pledged from lode.pledge where returned_at is null
    ) locked`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the totals query returned no row')
  return {
    at: row.at.toISOString(),
    members: row.members,
    units: row.units,
    power: Number(row.power),
    investment: formatAmount(units('USDT', BigInt(row.investment)), decimals.USDT),
    pledges: row.pledges,
    pledged: formatAmount(units('BTN', BigInt(row.pledged)), decimals.BTN),
  }
}

/**
 * Counts the totals within the time limit of a call. If the database is too slow or unavailable, it returns the last
 * totals with their time, or null if there are none yet. So the other figures can still be shown.
 */
export function createTotalsReader(
  sources: Pick<FigureSources, 'db' | 'decimals' | 'log'>,
): () => Promise<Figures['totals']> {
  let last: Figures['totals'] = null
  return async () => {
    try {
      last = await countTotals(sources)
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      sources.log.warn({ err: error }, 'the totals of the pool could not be counted in time')
    }
    return last
  }
}
