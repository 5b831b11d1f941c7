import type { Asset } from '@lode/kernel'
import { isZero } from '../../shared/format/index.ts'
import type { WalletAsset, WalletAssets } from '../assets/index.ts'

/**
 * A value at a price older than this is shown with the price's age. The server decides first: a price older than its
 * PRICE_MAX_AGE_SECONDS is not sent, and the app says "price unavailable".
 */
export const OLD_PRICE_MS = 86_400_000

const isHeld = ({ balance, freeze }: WalletAsset): boolean => !isZero(balance) || !isZero(freeze)

/**
 * The age of the oldest price that values these symbols, in whole days. Null if no price is older than a day. The
 * default symbols are those that the member holds. The age is by the server's clock, at the time of its answer.
 */
export function oldPriceDays(
  { items, at }: Pick<WalletAssets, 'items' | 'at'>,
  symbols?: readonly Asset[],
): number | null {
  const times = items
    .filter((item) => (symbols ? symbols.includes(item.symbol) : isHeld(item)))
    .flatMap(({ price }) => (price ? [price.at] : []))
  // All are written alike, so the smallest text is the earliest time.
  return ageInDays([...times].sort()[0] ?? null, at)
}

/** The age of a price in whole days, at the time of the server's answer. Null if it is not older than a day. */
export function ageInDays(priceAt: string | null, at: string): number | null {
  if (priceAt === null) return null
  const age = Date.parse(at) - Date.parse(priceAt)
  return age > OLD_PRICE_MS ? Math.floor(age / OLD_PRICE_MS) : null
}
