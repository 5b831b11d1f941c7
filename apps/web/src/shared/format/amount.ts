import { type Asset, formatAmount as canonicalAmount, type Units } from '@lode/kernel'

/** How many decimals are shown: not below `least`, so that amounts align, nor above `most`, to stay readable. */
export type Places = { readonly least: number; readonly most: number }

export const placesOf: Readonly<Record<Asset, Places>> = {
  USDT: { least: 2, most: 6 },
  BTN: { least: 2, most: 6 },
  BTC: { least: 8, most: 8 },
}

/** Places of a value or a price. Further decimals do not matter to a reader. */
export const valuePlaces: Places = { least: 2, most: 2 }

export type AmountParts = {
  /** The whole part, grouped by thousands. */
  readonly whole: string
  /** The decimals with their point; empty if there are none. */
  readonly fraction: string
  /** True if decimals were cut off. */
  readonly cut: boolean
}

/**
 * Splits a canonical amount for display. Decimals are cut off, never rounded. A nonzero amount that would show as zero
 * is shown as "less than" the smallest amount that can be shown.
 */
export function amountParts(amount: string, { least, most }: Places): AmountParts {
  const [digits = '0', decimals = ''] = amount.split('.')
  const shown = decimals.slice(0, most).replace(/0+$/, '').padEnd(least, '0')
  const cut = decimals.length > most
  const whole = digits.replace(/\B(?=(\d{3})+$)/g, ',')
  if (cut && /^0*$/.test(digits + shown)) return { whole: '<0', fraction: `.${'1'.padStart(most, '0')}`, cut }
  return { whole, fraction: shown && `.${shown}`, cut }
}

export function formatAmount(amount: string, places: Places): string {
  const { whole, fraction } = amountParts(amount, places)
  return whole + fraction
}

/** Places that show every decimal, for amounts to be paid. */
export const wholePlaces = (symbol: Asset): Places => ({ ...placesOf[symbol], most: 36 })

/** An amount with every decimal and its symbol, for a sentence. It does not break over two lines. */
export const formatWholeAmount = (amount: string, symbol: Asset): string =>
  `${formatAmount(amount, { least: 0, most: 36 })}\u00a0${symbol}`

/** The exact sum of two canonical amounts of one asset. */
export function addAmounts(left: string, right: string): string {
  const places = Math.max(...[left, right].map((amount) => amount.split('.')[1]?.length ?? 0))
  const unitsOf = (amount: string): bigint => {
    const [whole = '', fraction = ''] = amount.split('.')
    return BigInt(whole + fraction.padEnd(places, '0'))
  }
  return canonicalAmount((unitsOf(left) + unitsOf(right)) as Units<Asset>, places)
}

export const isZero = (amount: string): boolean => /^[0.]*$/.test(amount)
