/** What the member confirmed. The part from the balance is in smallest units of USDT. */
export type Asked = { readonly planVersion: number; readonly level: number; readonly balancePart: bigint }

/** The present facts. `price` is that of the requested level; null if the plan has no such level. */
export type Situation = {
  readonly plan: { readonly version: number; readonly price: bigint | null } | null
  readonly level: number
  readonly hasOpenOrder: boolean
  readonly available: bigint
  /** Whether the vault accepts our quotes. */
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

/** The first objection to an order, in the order in which members are told. The fund password is checked later. */
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
