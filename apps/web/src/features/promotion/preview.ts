import type { Level, Overview } from './use-promotion.ts'

/** What the member is shown before it orders, and is to be ordered so. It does not change under its eyes. */
export type Preview = {
  readonly version: number
  readonly level: Level
  readonly shares: NonNullable<NonNullable<Overview['plan']>['next']>['shares']
  readonly airdropFunded: boolean
  readonly available: string
}

/** Null where there is nothing to be ordered: no plan, or no higher level. */
export function previewOf({ plan, available }: Overview): Preview | null {
  const next = plan?.next
  const level = next && plan.levels.find((one) => one.level === next.level)
  if (!plan || !next || !level) return null
  const { shares, airdropFunded } = next
  return { version: plan.version, level, shares, airdropFunded, available }
}
