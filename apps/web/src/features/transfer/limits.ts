import { type Asset, formatAmount, parseAmount, units } from '@lode/kernel'
import type { DataOf } from '@lode/wire'

export type TransferTerms = DataOf<'transfer/terms'>
export type SymbolTerms = TransferTerms['symbols'][number]

/** The limits of a transfer of one asset, in its smallest units. */
export type TransferLimits = {
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

export function parseLimits(terms: SymbolTerms, decimals: number): TransferLimits {
  const { symbol } = terms
  const parse = (amount: string): bigint => {
    const parsed = parseAmount(symbol, decimals, amount)
    if (!parsed.ok) throw new Error(`The pool sent an invalid amount, ${amount} ${symbol}: ${parsed.error}`)
    return parsed.value
  }
  return {
    symbol,
    decimals,
    min: parse(terms.min),
    max: parse(terms.max),
    fee: parse(terms.fee),
    available: parse(terms.available),
    quotaLeft: parse(terms.quota.left),
    reviewAbove: parse(terms.reviewAbove),
    decisionAbove: parse(terms.decisionAbove),
  }
}

export type BrokenLimit = 'range' | 'balance' | 'quota'

/** The first limit that an amount breaks, in the order in which the pool checks them; null if none. */
export function findBrokenLimit(
  { min, max, fee, available, quotaLeft }: TransferLimits,
  amount: bigint,
): BrokenLimit | null {
  if (amount < min || amount > max) return 'range'
  if (amount + fee > available) return 'balance'
  return amount > quotaLeft ? 'quota' : null
}

/** The most that can be transferred now, never below zero. It can be below the plan's minimum. */
export function findMaxAmount({ max, fee, available, quotaLeft }: TransferLimits): bigint {
  const spendable = available > fee ? available - fee : 0n
  return [max, quotaLeft, spendable].reduce((least, each) => (each < least ? each : least))
}

/** Whether the balance is below the least transfer with its fee, so that no amount can be transferred. */
export const isTooLittle = ({ min, fee, available }: TransferLimits): boolean => available < min + fee

/** How many operators decide about a transfer of this size. Zero if its size needs no review. */
export function countReviewers({ reviewAbove, decisionAbove }: TransferLimits, amount: bigint): 0 | 1 | 2 {
  if (amount > decisionAbove) return 2
  return amount > reviewAbove ? 1 : 0
}

export const formatUnits = ({ symbol, decimals }: TransferLimits, value: bigint): string =>
  formatAmount(units(symbol, value), decimals)
