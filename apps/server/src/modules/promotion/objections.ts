/** What the member confirmed. The part from the balance is in smallest units of USDT. */
export type Asked = { readonly planVersion: number; readonly level: number; readonly balancePart: bigint }

/** What is so, when it is looked at. `price` is of the level that is asked for; null where the plan has no such level. */
export type Situation = {
  readonly plan: { readonly version: number; readonly price: bigint | null } | null
  readonly level: number
  readonly hasOpenOrder: boolean
  readonly available: bigint
  /** Whether the vault takes our quotes. */
  readonly paidOnline: boolean
}

export type Objection =
  | 'plan-none'
  | 'plan-changed'
  | 'order-open'
  | 'level-not-next'
  | 'balance-part-range'
  | 'payments-unavailable'
  | 'balance-insufficient'

/** The first thing that speaks against an order, in the order in which members are told; the fund password comes after. */
export function objectionTo(asked: Asked, situation: Situation): Objection | null {
  const { plan, level, hasOpenOrder, available, paidOnline } = situation
  if (plan === null) return 'plan-none'
  if (plan.version !== asked.planVersion) return 'plan-changed'
  if (hasOpenOrder) return 'order-open'
  if (asked.level !== level + 1 || plan.price === null) return 'level-not-next'
  if (asked.balancePart > plan.price) return 'balance-part-range'
  if (asked.balancePart < plan.price && !paidOnline) return 'payments-unavailable'
  if (asked.balancePart > available) return 'balance-insufficient'
  return null
}
