/** What the member confirmed: whole BTN for a number of days, and the part from the balance in smallest units. */
export type Asked = {
  readonly planVersion: number
  readonly quantity: bigint
  readonly termDays: number
  readonly balancePart: bigint
}

/** The present facts. Amounts are in smallest units of BTN; `amount` is the price of the quantity. */
export type Situation = {
  readonly plan: {
    readonly version: number
    readonly pledgeAbove: bigint
    readonly pledgeTerms: readonly { readonly days: number }[]
  } | null
  readonly amount: bigint
  readonly hasOpenOrder: boolean
  readonly available: bigint
  /** Whether the vault accepts our quotes. */
  readonly paidOnline: boolean
}

export type Objection =
  | 'plan-none'
  | 'plan-changed'
  | 'order-open'
  | 'pledge-minimum'
  | 'pledge-term'
  | 'balance-part-range'
  | 'payments-unavailable'
  | 'balance-insufficient'

/** The first objection to an order, in the order in which members are told. The fund password is checked later. */
export function objectionTo(asked: Asked, situation: Situation): Objection | null {
  const { plan, amount, hasOpenOrder, available, paidOnline } = situation
  if (plan === null) return 'plan-none'
  if (plan.version !== asked.planVersion) return 'plan-changed'
  if (hasOpenOrder) return 'order-open'
  if (amount <= plan.pledgeAbove) return 'pledge-minimum'
  if (!plan.pledgeTerms.some(({ days }) => days === asked.termDays)) return 'pledge-term'
  if (asked.balancePart > amount) return 'balance-part-range'
  if (asked.balancePart < amount && !paidOnline) return 'payments-unavailable'
  if (asked.balancePart > available) return 'balance-insufficient'
  return null
}
