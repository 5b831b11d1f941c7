import { formatAmount, type Units } from '@lode/kernel'
import { formatAmount as formatted, wholeAmount } from '../../shared/format/index.ts'

/** A weight is in ten-thousandths of a BTN, since a term weighs in basis points. */
const WEIGHT_DECIMALS = 4

/** BTN times the weight of its term, as an amount. */
export const effectiveOf = (weight: bigint): string => anyAmount(weight, WEIGHT_DECIMALS)

/** The same to be read, without its symbol. */
export const effectiveText = (weight: bigint): string => formatted(effectiveOf(weight), { least: 0, most: 4 })

export const btcText = (amount: bigint, decimals: number): string => wholeAmount(anyAmount(amount, decimals), 'BTC')

/** What follows from a table that does not add up can be anything, also less than nothing: it is shown as what it is. */
export const anyAmount = (amount: bigint, decimals: number): string =>
  amount < 0n ? `−${formatAmount(-amount as Units<'BTC'>, decimals)}` : formatAmount(amount as Units<'BTC'>, decimals)
