import { type Asset, formatAmount as canonicalAmount, type Units } from '@lode/kernel'

/** How many decimals are shown at least, so that amounts stand under each other, and at most, so that they can be read. */
export type Places = { readonly least: number; readonly most: number }

export const placesOf: Readonly<Record<Asset, Places>> = {
  USDT: { least: 2, most: 6 },
  BTN: { least: 2, most: 6 },
  BTC: { least: 8, most: 8 },
}

/** A value or a price, which is cut off where nobody counts any more. */
export const valuePlaces: Places = { least: 2, most: 2 }

export type AmountParts = {
  /** Grouped by thousands. */
  readonly whole: string
  /** With its point; empty where there is none. */
  readonly fraction: string
  /** Whether there is more to it than is shown. */
  readonly cut: boolean
}

/** A canonical amount as it is read: cut off, never rounded. One that would look like nothing says that it is less than that. */
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

/** Every decimal that there is: for what is being paid, of which nothing is left out. */
export const wholePlaces = (symbol: Asset): Places => ({ ...placesOf[symbol], most: 36 })

/** The same in a sentence, with its symbol. It does not break over two lines. */
export const wholeAmount = (amount: string, symbol: Asset): string =>
  `${formatAmount(amount, { least: 0, most: 36 })}\u00a0${symbol}`

/** Two canonical amounts of one asset together, exactly. */
export function sumOf(left: string, right: string): string {
  const places = Math.max(...[left, right].map((amount) => amount.split('.')[1]?.length ?? 0))
  const unitsOf = (amount: string): bigint => {
    const [whole = '', fraction = ''] = amount.split('.')
    return BigInt(whole + fraction.padEnd(places, '0'))
  }
  return canonicalAmount((unitsOf(left) + unitsOf(right)) as Units<Asset>, places)
}

export const isZero = (amount: string): boolean => /^[0.]*$/.test(amount)
