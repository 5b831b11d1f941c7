import { formatAmount, type Units } from '@lode/kernel'
import { formatAmount as formatted, wholeAmount } from '../../shared/format/index.ts'

/** A weight counts ten-thousandths of a BTN, because terms weigh in basis points. */
const WEIGHT_DECIMALS = 4

/** The effective pledge of a weight, as an amount of BTN. */
export const effectiveOf = (weight: bigint): string => anyAmount(weight, WEIGHT_DECIMALS)

/** The same as text for display, without the symbol. */
export const effectiveText = (weight: bigint): string => formatted(effectiveOf(weight), { least: 0, most: 4 })

export const btcText = (amount: bigint, decimals: number): string => wholeAmount(anyAmount(amount, decimals), 'BTC')

/** A table that does not add up can give any number, even a negative one. It is shown as it is. */
export const anyAmount = (amount: bigint, decimals: number): string =>
  amount < 0n ? `−${formatAmount(-amount as Units<'BTC'>, decimals)}` : formatAmount(amount as Units<'BTC'>, decimals)
