import type { Address } from 'viem'
import { isAddressEqual } from 'viem'

/** What the member confirmed. Amounts are in smallest units of one asset. */
export type Asked = { readonly planVersion: number; readonly address: Address; readonly amount: bigint }

/** The present facts. */
export type Situation = {
  readonly plan: { readonly version: number; readonly min: bigint; readonly max: bigint; readonly fee: bigint } | null
  /** The bound output address. */
  readonly address: Address
  readonly available: bigint
  readonly quotaLeft: bigint
}

export type Objection =
  | 'plan-none'
  | 'plan-changed'
  | 'output-address-changed'
  | 'amount-range'
  | 'balance-insufficient'
  | 'quota-insufficient'

/** The first objection to a transfer, in the order in which members are told. The fund password is checked later. */
export function objectionTo(asked: Asked, { plan, address, available, quotaLeft }: Situation): Objection | null {
  if (plan === null) return 'plan-none'
  if (plan.version !== asked.planVersion) return 'plan-changed'
  if (!isAddressEqual(address, asked.address)) return 'output-address-changed'
  if (asked.amount < plan.min || asked.amount > plan.max) return 'amount-range'
  if (asked.amount + plan.fee > available) return 'balance-insufficient'
  if (asked.amount > quotaLeft) return 'quota-insufficient'
  return null
}
