import { type Asset, addDays, assets, type DayNumber, dayNumber, dayOf, formatAmount, startOfDay } from '@lode/kernel'
import { type DataOf, type IncomePeriod, receivedTypes, rewardFailures } from '@lode/wire'
import { readClock } from '../../platform/clock/clock.ts'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { loadPrices } from '../custody/index.ts'
import { type ReceivedSum, readFirstReceivedDay, readReceived } from '../ledger/index.ts'
import { type MissedRewards, readFirstMissedDay, readMissedRewards } from '../promotion/index.ts'
import { computeValue, type Prices } from '../wallet/index.ts'
import { type Amounts, formatUnits, mapAssets, sumInUsdt } from './rules.ts'

type Income = DataOf<'account/income'>
type IncomeOptions = { readonly decimals: Decimals; readonly priceMaxAgeSeconds: number }

/** What a member received in a period, in at most six statements. Each reads only rows of the period. */
export async function readIncome(
  db: Database,
  member: bigint,
  period: IncomePeriod,
  { decimals, priceMaxAgeSeconds }: IncomeOptions,
): Promise<Income> {
  const now = await readClock(db)
  const range = computeRange(period, dayOf(now), period === 'all' ? await readFirstDay(db, member) : null)
  const received = await readReceived(db, member, range)
  const missed = await readMissedRewards(db, member, {
    from: startOfDay(range.from),
    until: startOfDay(addDays(range.to, 1)),
  })
  const display = { prices: await loadPrices(db, priceMaxAgeSeconds), decimals }
  return {
    at: now.toISOString(),
    period,
    ...range,
    ...formatReceived(received, display),
    bars: listBars(range).map((day) => formatBar(day, received, display)),
    missed: formatMissed(missed, decimals),
  }
}

/** The first day with an income or a missed reward. A member can miss rewards before the first income. */
async function readFirstDay(db: Database, member: bigint): Promise<number | null> {
  const days = [await readFirstReceivedDay(db, member), await readFirstMissedDay(db, member)]
  const known = days.filter((day) => day !== null)
  return known.length > 0 ? Math.min(...known) : null
}

export type IncomeRange = { readonly from: DayNumber; readonly to: DayNumber; readonly step: 'day' | 'month' }

const daysOf = { today: 1, week: 7, month: 30, quarter: 90 } as const
/** A longer time is shown by month: more bars cannot be told apart on a phone. */
const MAX_DAYS = 92
const YEAR_MONTHS = 12

/** The first and last day of a period. `first` is the first day of all income. */
export function computeRange(period: IncomePeriod, today: DayNumber, first: number | null): IncomeRange {
  if (period === 'year') return { from: firstOfMonth(today, 1 - YEAR_MONTHS), to: today, step: 'month' }
  if (period !== 'all') return { from: addDays(today, 1 - daysOf[period]), to: today, step: 'day' }
  const from = dayNumber(Math.min(first ?? today, today))
  return { from, to: today, step: today - from < MAX_DAYS ? 'day' : 'month' }
}

/** The first day of the calendar month that is this many months after that of `day`. */
function firstOfMonth(day: DayNumber, months = 0): DayNumber {
  const time = startOfDay(day)
  return dayOf(new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months, 1)))
}

/** The first day of each bar, oldest first. The first month can begin before the period. */
export function listBars({ from, to, step }: IncomeRange): DayNumber[] {
  const bars: DayNumber[] = []
  const next = (day: DayNumber) => (step === 'day' ? addDays(day, 1) : firstOfMonth(day, 1))
  for (let day = step === 'day' ? from : firstOfMonth(from); day <= to; day = next(day)) bars.push(day)
  return bars
}

const sumOf = (sums: readonly ReceivedSum[]): bigint => sums.reduce((sum, { amount }) => sum + amount, 0n)

const sumByAsset = (sums: readonly ReceivedSum[]): Amounts =>
  mapAssets((symbol) => sumOf(sums.filter(({ asset }) => asset === symbol)))

type Display = { readonly prices: Prices; readonly decimals: Decimals }

function formatSum(symbol: Asset, amount: bigint, { prices, decimals }: Display): Income['symbols'][number] {
  const value = computeValue(symbol, amount, prices, decimals)
  return {
    symbol,
    amount: formatUnits(symbol, amount, decimals),
    values: value === null ? null : formatAmount(value, decimals.USDT),
  }
}

function formatReceived(
  sums: readonly ReceivedSum[],
  display: Display,
): Pick<Income, 'total' | 'symbols' | 'sources' | 'prices'> {
  const { prices, decimals } = display
  const all = sumByAsset(sums)
  return {
    total: sumInUsdt(all, prices, decimals),
    symbols: assets.map((symbol) => formatSum(symbol, all[symbol], display)),
    sources: receivedTypes.flatMap((type) => {
      const ofType = sums.filter((one) => one.type === type)
      const [first] = ofType
      return first ? [{ type, ...formatSum(first.asset, sumOf(ofType), display) }] : []
    }),
    prices: (['BTN', 'BTC'] as const).flatMap((symbol) => {
      const price = prices[symbol]
      return price && all[symbol] > 0n ? [{ symbol, price: price.price, at: price.at.toISOString() }] : []
    }),
  }
}

function formatBar(day: DayNumber, sums: readonly ReceivedSum[], display: Display): Income['bars'][number] {
  const amounts = sumByAsset(sums.filter((one) => one.day === day))
  return {
    day,
    total: sumInUsdt(amounts, display.prices, display.decimals),
    symbols: assets
      .filter((symbol) => amounts[symbol] > 0n)
      .map((symbol) => formatSum(symbol, amounts[symbol], display)),
  }
}

function formatMissed(missed: readonly MissedRewards[], decimals: Decimals): Income['missed'] {
  return {
    count: missed.reduce((sum, { count }) => sum + count, 0),
    amount: formatUnits(
      'USDT',
      missed.reduce((sum, { amount }) => sum + amount, 0n),
      decimals,
    ),
    reasons: rewardFailures.flatMap((reason) => {
      const found = missed.find((one) => one.reason === reason)
      return found ? [{ reason, count: found.count, amount: formatUnits('USDT', found.amount, decimals) }] : []
    }),
  }
}
