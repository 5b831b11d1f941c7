import { type Asset, add, assets, formatAmount, units } from '@lode/kernel'
import { type CollectedPart, collectedParts, type DataOf } from '@lode/wire'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { MemberBalances, ReceivedDay } from '../ledger/index.ts'
import { formatBtc, formatWeight, type LastShare } from '../pledge/index.ts'
import { computeValue, type Prices } from '../wallet/index.ts'
import type { Collected } from './commands.ts'

type Home = DataOf<'account/home'>
export type Amounts = { readonly [A in Asset]: bigint }

/** The days that count as the last month, today included. */
export const MONTH_DAYS = 30

export const formatUnits = (symbol: Asset, amount: bigint, decimals: Decimals): string =>
  formatAmount(units(symbol, amount), decimals[symbol])

/** The sum in USDT, each asset rounded down as on the wallet page. An asset that has no price is left out and named. */
export function sumInUsdt(amounts: Amounts, prices: Prices, decimals: Decimals): Home['have']['total'] {
  const without: Asset[] = []
  let total = units('USDT', 0n)
  for (const symbol of assets) {
    const value = computeValue(symbol, amounts[symbol], prices, decimals)
    if (value !== null) total = add(total, value)
    else if (amounts[symbol] > 0n) without.push(symbol)
  }
  return { values: formatAmount(total, decimals.USDT), without }
}

export const mapAssets = (compute: (symbol: Asset) => bigint): Amounts => ({
  USDT: compute('USDT'),
  BTN: compute('BTN'),
  BTC: compute('BTC'),
})

export function formatHave(balances: MemberBalances, prices: Prices, decimals: Decimals): Home['have'] {
  const held = mapAssets((symbol) => {
    const { available, frozenOut, frozenOrder, pledged } = balances[symbol]
    return available + frozenOut + frozenOrder + pledged
  })
  return {
    items: assets.map((symbol) => {
      const value = computeValue(symbol, held[symbol], prices, decimals)
      return {
        symbol,
        amount: formatUnits(symbol, held[symbol], decimals),
        values: value === null ? null : formatAmount(value, decimals.USDT),
      }
    }),
    total: sumInUsdt(held, prices, decimals),
    priceAt: findOldestPrice(held, prices),
  }
}

type Received = { readonly today: number; readonly days: readonly ReceivedDay[]; readonly all: Amounts }

export function formatEarned({ today, days, all }: Received, prices: Prices, decimals: Decimals): Home['earned'] {
  const sumOf = (isIncluded: (day: number) => boolean): Amounts =>
    mapAssets((symbol) =>
      days
        .filter(({ asset, day }) => asset === symbol && isIncluded(day))
        .reduce((sum, { amount }) => sum + BigInt(amount), 0n),
    )
  const periods = {
    today: sumOf((day) => day === today),
    yesterday: sumOf((day) => day === today - 1),
    month: sumOf((day) => day > today - MONTH_DAYS),
    all,
  }
  const total = (amounts: Amounts) => sumInUsdt(amounts, prices, decimals)
  return {
    items: assets.map((symbol) => ({
      symbol,
      today: formatUnits(symbol, periods.today[symbol], decimals),
      yesterday: formatUnits(symbol, periods.yesterday[symbol], decimals),
      month: formatUnits(symbol, periods.month[symbol], decimals),
      all: formatUnits(symbol, periods.all[symbol], decimals),
    })),
    total: {
      today: total(periods.today),
      yesterday: total(periods.yesterday),
      month: total(periods.month),
      all: total(periods.all),
    },
    priceAt: findOldestPrice(all, prices),
  }
}

function findOldestPrice(amounts: Amounts, prices: Prices): string | null {
  const used = (['BTN', 'BTC'] as const).filter((symbol) => amounts[symbol] > 0n)
  const times = used.flatMap((symbol) => prices[symbol]?.at.getTime() ?? [])
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString()
}

const symbolOf = { dividends: 'BTC', thanksgiving: 'USDT', partner: 'USDT' } as const satisfies Record<
  CollectedPart,
  Asset
>

export const formatCollectable = (
  amounts: { readonly [Part in CollectedPart]: bigint },
  decimals: Decimals,
): Home['collect'] =>
  collectedParts.map((part) => ({
    part,
    symbol: symbolOf[part],
    amount: formatUnits(symbolOf[part], amounts[part], decimals),
  }))

export const formatCollected = (parts: readonly Collected[], decimals: Decimals): DataOf<'account/collect'>['parts'] =>
  parts.map(({ part, amount }) => ({
    part,
    symbol: symbolOf[part],
    amount: formatUnits(symbolOf[part], amount ?? 0n, decimals),
    failed: amount === null,
  }))

export const formatLastShare = (last: LastShare, decimals: Decimals): NonNullable<Home['last']> => ({
  day: last.day,
  closedAt: new Date(last.closedAt).toISOString(),
  shared: formatBtc(BigInt(last.shared), decimals),
  totalEffective: formatWeight(BigInt(last.total)),
  effective: formatWeight(BigInt(last.weight)),
  pledges: last.pledges,
  amount: formatBtc(BigInt(last.amount), decimals),
})
