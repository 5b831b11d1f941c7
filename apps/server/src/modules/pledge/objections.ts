import type { OnlinePaymentRefusal } from '../orders/index.ts'

/** What the member confirmed: whole BTN for a number of days, and the part from the balance in smallest units. */
export type PledgeRequest = {
  readonly planVersion: number
  readonly quantity: bigint
  readonly termDays: number
  readonly balancePart: bigint
}

/** What the request is checked against. Amounts are in smallest units of BTN; `amount` is the requested quantity. */
export type Situation = {
  readonly plan: {
    readonly version: number
    readonly pledgeAbove: bigint
    readonly pledgeTerms: readonly { readonly days: number }[]
  } | null
  readonly amount: bigint
  readonly hasOpenOrder: boolean
  readonly available: bigint
  /** Why nothing can be paid online now. Null if it can. */
  readonly onlineRefusal: OnlinePaymentRefusal | null
}

export type Objection =
  | 'plan-none'
  | 'plan-changed'
  | 'order-open'
  | 'pledge-minimum'
  | 'pledge-term'
  | 'balance-part-range'
  | OnlinePaymentRefusal
  | 'balance-insufficient'

/**
 * Returns the first reason to refuse the request, or null. If there are several reasons, the member sees the one that
 * is checked first. The fund password is checked later.
 */
export function findObjection(request: PledgeRequest, situation: Situation): Objection | null {
  const { plan, amount, hasOpenOrder, available, onlineRefusal } = situation
  if (plan === null) return 'plan-none'
  if (plan.version !== request.planVersion) return 'plan-changed'
  if (hasOpenOrder) return 'order-open'
  if (amount <= plan.pledgeAbove) return 'pledge-minimum'
  if (!plan.pledgeTerms.some(({ days }) => days === request.termDays)) return 'pledge-term'
  if (request.balancePart > amount) return 'balance-part-range'
  if (request.balancePart < amount && onlineRefusal) return onlineRefusal
  if (request.balancePart > available) return 'balance-insufficient'
  return null
}
