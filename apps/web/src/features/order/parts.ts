/** A slider has so many places: enough to choose by thumb, and the field beside it says the rest. */
export const SLIDER_STEPS = 100

/** The most that can come from the balance: the whole of the price, or all that there is. */
export const mostFromBalance = (price: bigint, available: bigint): bigint => (available < price ? available : price)

/** What a place on the slider stands for: whole coins on the way, and exactly the most at its end. */
export function partAt(place: number, most: bigint, decimals: number): bigint {
  if (place >= SLIDER_STEPS) return most
  const coin = 10n ** BigInt(decimals)
  const part = (most * BigInt(Math.max(0, Math.round(place)))) / BigInt(SLIDER_STEPS)
  return part - (part % coin)
}

/** The place that shows a part; what is beyond the most stands at the end. */
export function placeOf(part: bigint, most: bigint): number {
  if (most === 0n || part <= 0n) return 0
  return part >= most ? SLIDER_STEPS : Number((part * BigInt(SLIDER_STEPS)) / most)
}
