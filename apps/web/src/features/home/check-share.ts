import { parseAmount } from '@lode/kernel'

/** The amounts of the last day, as the server sends them. */
type ShareFigures = {
  readonly shared: string
  readonly effective: string
  readonly totalEffective: string
  readonly amount: string
  readonly pledges: number
}

/** An effective pledge is BTN times the weight of its term in basis points, so it has at most four decimals. */
const EFFECTIVE_DECIMALS = 4

/**
 * Whether the member's amount is production × own effective pledge ÷ all effective pledges. Each pledge is rounded by
 * itself, and the day's own division leaves a remainder. So the two may differ by one unit for each pledge, and one.
 */
export function isRightShare(figures: ShareFigures, decimals: number): boolean {
  const unitsOf = (amount: string, places: number): bigint => {
    const parsed = parseAmount('BTC', places, amount)
    return parsed.ok ? parsed.value : -1n
  }
  const [shared, amount] = [unitsOf(figures.shared, decimals), unitsOf(figures.amount, decimals)]
  const [own, all] = [
    unitsOf(figures.effective, EFFECTIVE_DECIMALS),
    unitsOf(figures.totalEffective, EFFECTIVE_DECIMALS),
  ]
  if (shared < 0n || amount < 0n || own < 0n || all <= 0n) return false
  const difference = amount * all - shared * own
  return (difference < 0n ? -difference : difference) <= BigInt(figures.pledges + 1) * all
}
