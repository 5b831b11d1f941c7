import { formatAmount, type Units } from '@lode/kernel'
import { formatAmount as formatted, formatWholeAmount } from '../../shared/format/index.ts'

/** A weight is in ten-thousandths of a BTN, because the weight of a term is in basis points. */
const WEIGHT_DECIMALS = 4

/** The effective pledge of a weight, as an amount of BTN. */
export const effectivePledge = (weight: bigint): string => formatAnyAmount(weight, WEIGHT_DECIMALS)

/** The same as text for display, without the symbol. */
export const effectivePledgeText = (weight: bigint): string => formatted(effectivePledge(weight), { least: 0, most: 4 })

export const btcText = (amount: bigint, decimals: number): string =>
  formatWholeAmount(formatAnyAmount(amount, decimals), 'BTC')

/** Also formats negative amounts, which a table that does not add up can give. */
export const formatAnyAmount = (amount: bigint, decimals: number): string =>
  amount < 0n ? `−${formatAmount(-amount as Units<'BTC'>, decimals)}` : formatAmount(amount as Units<'BTC'>, decimals)
