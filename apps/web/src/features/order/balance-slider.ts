/** The last position of the slider; the first is 0. That is enough for a thumb; the field takes exact amounts. */
export const SLIDER_STEPS = 100

/** The most that can be paid from the balance: the whole price, or the whole balance if that is less. */
export const maxFromBalance = (price: bigint, available: bigint): bigint => (available < price ? available : price)

/** The amount of a slider position: whole coins, and exactly the maximum at the end. */
export function amountAtPosition(position: number, max: bigint, decimals: number): bigint {
  if (position >= SLIDER_STEPS) return max
  const coin = 10n ** BigInt(decimals)
  const part = (max * BigInt(Math.max(0, Math.round(position)))) / BigInt(SLIDER_STEPS)
  return part - (part % coin)
}

/** The slider position of an amount. An amount above the maximum is at the end. */
export function sliderPosition(part: bigint, max: bigint): number {
  if (max === 0n || part <= 0n) return 0
  return part >= max ? SLIDER_STEPS : Number((part * BigInt(SLIDER_STEPS)) / max)
}
