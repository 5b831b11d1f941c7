import type { Asset } from '@lode/kernel'

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

export const isZero = (amount: string): boolean => /^[0.]*$/.test(amount)
