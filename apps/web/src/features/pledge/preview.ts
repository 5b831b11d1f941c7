import type { PledgeOverview, PledgeTerm } from '../production/index.ts'

/** The terms that the member sees and orders. They do not change while they are shown. */
export type PledgePreview = {
  readonly version: number
  /** When the pool reported these terms. */
  readonly shownAt: string
  readonly quantity: bigint
  readonly term: PledgeTerm
  readonly startDay: number
  readonly available: string
  /** The part from the balance of an earlier press. Undefined: the form begins with as much as possible. */
  readonly initialBalancePart: string | undefined
}

type PledgeChoice = {
  readonly quantity: bigint
  readonly days: number
  readonly initialBalancePart?: string | undefined
}

/** Null if this cannot be ordered: there is no plan, or the plan has no such term. */
export function buildPledgePreview(
  { plan, available, at }: PledgeOverview,
  { quantity, days, initialBalancePart }: PledgeChoice,
): PledgePreview | null {
  const term = plan?.terms.find((one) => one.days === days)
  if (!plan || !term) return null
  return { version: plan.version, shownAt: at, quantity, term, startDay: plan.startDay, available, initialBalancePart }
}
