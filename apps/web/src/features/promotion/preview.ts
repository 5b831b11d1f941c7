import type { Level, PromotionOverview } from './use-promotion-overview.ts'

/** The terms that the member sees and orders. They do not change while they are shown. */
export type PromotionPreview = {
  readonly version: number
  readonly level: Level
  readonly shares: NonNullable<NonNullable<PromotionOverview['plan']>['next']>['shares']
  readonly airdropFunded: boolean
  readonly available: string
}

/** Null if nothing can be ordered: there is no plan, or no higher level. */
export function buildPromotionPreview({ plan, available }: PromotionOverview): PromotionPreview | null {
  const next = plan?.next
  const level = next && plan.levels.find((one) => one.level === next.level)
  if (!plan || !next || !level) return null
  const { shares, airdropFunded } = next
  return { version: plan.version, level, shares, airdropFunded, available }
}
