import type { OnlinePaymentRefusal } from '../orders/index.ts'

/** What the member confirmed. The part from the balance is in smallest units of USDT. */
export type PromotionRequest = { readonly planVersion: number; readonly level: number; readonly balancePart: bigint }

/** What the request is checked against. `price` is that of the requested level; null if the plan has no such level. */
export type Situation = {
  readonly plan: { readonly version: number; readonly price: bigint | null } | null
  readonly level: number
  readonly hasOpenOrder: boolean
  readonly available: bigint
  /** Why nothing can be paid online now. Null if it can. */
  readonly onlineRefusal: OnlinePaymentRefusal | null
}

export type Objection =
  | 'plan-none'
  | 'plan-changed'
  | 'order-open'
  | 'level-not-next'
  | 'balance-part-range'
  | OnlinePaymentRefusal
  | 'balance-insufficient'

/**
 * Returns the first reason to refuse the request, or null. If there are several reasons, the member sees the one that
 * is checked first. The fund password is checked later.
 */
export function findObjection(request: PromotionRequest, situation: Situation): Objection | null {
  const { plan, level, hasOpenOrder, available, onlineRefusal } = situation
  if (plan === null) return 'plan-none'
  if (plan.version !== request.planVersion) return 'plan-changed'
  if (hasOpenOrder) return 'order-open'
  if (request.level !== level + 1 || plan.price === null) return 'level-not-next'
  if (request.balancePart > plan.price) return 'balance-part-range'
  if (request.balancePart < plan.price && onlineRefusal) return onlineRefusal
  if (request.balancePart > available) return 'balance-insufficient'
  return null
}
