import { type Asset, formatAmount, parseAmount, units } from '@lode/kernel'
import { DECIMALS } from '../stack/plan.ts'
import { Violation } from '../world.ts'

/** Parses an amount of the api into smallest units. */
export function unitsOf(symbol: Asset, text: string): bigint {
  const amount = parseAmount(symbol, DECIMALS[symbol], text)
  if (!amount.ok) throw new Violation(`${text} is no amount of ${symbol}: ${amount.error}`)
  return amount.value
}

export const textOf = (symbol: Asset, amount: bigint): string => formatAmount(units(symbol, amount), DECIMALS[symbol])
