import { type Asset, formatAmount, parseAmount, units } from '@lode/kernel'
import type { DataOf } from '@lode/wire'

export type Terms = DataOf<'transfer/terms'>
export type SymbolTerms = Terms['symbols'][number]

/** The limits of a transfer of one asset, in its smallest units. */
export type Limits = {
  readonly symbol: Asset
  readonly decimals: number
  readonly min: bigint
  readonly max: bigint
  readonly fee: bigint
  readonly available: bigint
  readonly quotaLeft: bigint
  readonly reviewAbove: bigint
  readonly decisionAbove: bigint
}

export function limitsOf(terms: SymbolTerms, decimals: number): Limits {
  const { symbol } = terms
  const read = (amount: string): bigint => {
    const parsed = parseAmount(symbol, decimals, amount)
    if (!parsed.ok) throw new Error(`The terms say ${amount} ${symbol}: ${parsed.error}`)
    return parsed.value
  }
  return {
    symbol,
    decimals,
    min: read(terms.min),
    max: read(terms.max),
    fee: read(terms.fee),
    available: read(terms.available),
    quotaLeft: read(terms.quota.left),
    reviewAbove: read(terms.reviewAbove),
    decisionAbove: read(terms.decisionAbove),
  }
}

export type WrongTransfer = 'range' | 'balance' | 'quota'

/** The first limit that an amount breaks, in the order in which the pool checks them; null if none. */
export function judgeAmount({ min, max, fee, available, quotaLeft }: Limits, amount: bigint): WrongTransfer | null {
  if (amount < min || amount > max) return 'range'
  if (amount + fee > available) return 'balance'
  return amount > quotaLeft ? 'quota' : null
}

/** The most that can be transferred now, never below zero. It can be below the plan's minimum. */
export function mostOf({ max, fee, available, quotaLeft }: Limits): bigint {
  const spendable = available > fee ? available - fee : 0n
  return [max, quotaLeft, spendable].reduce((least, each) => (each < least ? each : least))
}

/** How many operators must review a transfer of this size. */
export function reviewersOf({ reviewAbove, decisionAbove }: Limits, amount: bigint): 0 | 1 | 2 {
  if (amount > decisionAbove) return 2
  return amount > reviewAbove ? 1 : 0
}

export const canonical = ({ symbol, decimals }: Limits, value: bigint): string =>
  formatAmount(units(symbol, value), decimals)
