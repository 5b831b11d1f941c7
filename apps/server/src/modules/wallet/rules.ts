import { type Asset, add, assets, formatAmount, MAX_UNITS, type Units, units } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import { buildLineId, type LogLine, type MemberBalances } from '../ledger/index.ts'

type WalletItem = DataOf<'wallet/assets'>['items'][number]
type WalletLogLine = DataOf<'wallet/log'>['lines'][number]

/** The price of one coin in USDT, as canonical decimal text. */
export type Price = { readonly price: string; readonly at: Date; readonly source: string }

/** Null if there is no price that is recent enough. */
export type Prices = { readonly [A in Exclude<Asset, 'USDT'>]: Price | null }

export type Holdings = {
  readonly balances: MemberBalances
  /** Deposits that are seen on the chain and not final. */
  readonly incoming: { readonly [A in Asset]: bigint }
  readonly lastChanges: { readonly [A in Asset]: Date | null }
  readonly prices: Prices
  /** What may leave in any 24 hours; null if there is no plan. */
  readonly quotas: { readonly [A in Asset]: { readonly left: Units<A>; readonly total: Units<A> } } | null
}

/** Formats what a member holds. Values are rounded down. An asset without a price has the value null, not zero. */
export function formatWallet(
  { balances, incoming, lastChanges, prices, quotas }: Holdings,
  decimals: Decimals,
): { items: WalletItem[]; total: { values: string; without: Asset[] } } {
  const without: Asset[] = []
  let total = units('USDT', 0n)
  const items = assets.map((symbol) => {
    const amount = (value: bigint) => formatAmount(units(symbol, value), decimals[symbol])
    const { available, frozenOut, frozenOrder, pledged } = balances[symbol]
    const freeze = frozenOut + frozenOrder + pledged
    const price = symbol === 'USDT' ? null : prices[symbol]
    const value = computeValue(symbol, available + freeze, prices, decimals)
    if (value !== null) total = add(total, value)
    else if (available + freeze > 0n) without.push(symbol)
    return {
      symbol,
      balance: amount(available),
      freeze: amount(freeze),
      freezeParts: { out: amount(frozenOut), order: amount(frozenOrder), pledged: amount(pledged) },
      incoming: amount(incoming[symbol]),
      price: price && { price: price.price, at: price.at.toISOString(), source: price.source },
      values: value === null ? null : formatAmount(value, decimals.USDT),
      quota: quotas && { left: amount(quotas[symbol].left), total: amount(quotas[symbol].total) },
      lastChangeAt: lastChanges[symbol]?.toISOString() ?? null,
    }
  })
  return { items, total: { values: formatAmount(total, decimals.USDT), without } }
}

/** The value in USDT at the present price, rounded down. Null without a usable price. */
export function computeValue(symbol: Asset, amount: bigint, prices: Prices, decimals: Decimals): Units<'USDT'> | null {
  if (symbol === 'USDT') return units('USDT', amount)
  const price = prices[symbol]
  return price && computeUsdtValue(symbol, amount, price, decimals)
}

/** The value in USDT, rounded down. Null if it is above every valid amount, which only a wrong price can cause. */
export function computeUsdtValue(
  asset: Asset,
  amount: bigint,
  price: Pick<Price, 'price'>,
  decimals: Decimals,
): Units<'USDT'> | null {
  const exact = computeExactUsdtValue(asset, amount, price, decimals)
  const value = (exact.value * 10n ** BigInt(decimals.USDT)) / 10n ** BigInt(exact.places)
  return value > MAX_UNITS ? null : units('USDT', value)
}

/** A decimal number of USDT: `value` × 10^−`places`. Not rounded. */
export type ExactUsdtValue = { readonly value: bigint; readonly places: number }

export function computeExactUsdtValue(
  asset: Asset,
  amount: bigint,
  { price }: Pick<Price, 'price'>,
  decimals: Decimals,
): ExactUsdtValue {
  const [whole = '0', fraction = ''] = price.split('.')
  return { value: amount * BigInt(whole + fraction), places: decimals[asset] + fraction.length }
}

const CHAIN_LOG_OPERATION = /^(0x[0-9a-f]{64}):\d+$/

type PostedFacts = {
  /** The chain transactions that paid transfers out, by operation. */
  readonly paidBy?: ReadonlyMap<string, string>
  readonly balanceAfter?: bigint | undefined
}

export function formatPostedLine(
  line: LogLine,
  asset: Asset,
  decimals: Decimals,
  { paidBy, balanceAfter }: PostedFacts = {},
): WalletLogLine {
  const { type, status, amount, fee, operation, at, endedAt } = line
  return {
    id: buildLineId(type, operation),
    type,
    status,
    direction: amount < 0n ? 'out' : 'in',
    amount: formatAmount(units(asset, amount < 0n ? -amount : amount), decimals[asset]),
    fee: formatAmount(units(asset, fee), decimals[asset]),
    at: at.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    tx: CHAIN_LOG_OPERATION.exec(operation)?.[1] ?? paidBy?.get(operation) ?? null,
    balanceAfter: balanceAfter === undefined ? null : formatAmount(units(asset, balanceAfter), decimals[asset]),
  }
}

/** A deposit that the chain may still take back by a reorganization. */
type IncomingDeposit = {
  readonly tx: string
  readonly logIndex: number
  readonly amount: bigint
  readonly seenAt: Date
}

export function formatIncomingLine(
  { tx, logIndex, amount, seenAt }: IncomingDeposit,
  asset: Asset,
  decimals: Decimals,
): WalletLogLine {
  return {
    id: buildLineId('transferIn', `${tx}:${logIndex}`),
    type: 'transferIn',
    status: 'confirming',
    direction: 'in',
    amount: formatAmount(units(asset, amount), decimals[asset]),
    fee: '0',
    at: seenAt.toISOString(),
    endedAt: null,
    tx,
    balanceAfter: null,
  }
}
