import type { Address } from 'viem'
import { isAddressEqual } from 'viem'

/** What the member confirmed. Amounts are in smallest units of one asset. */
export type ConfirmedTerms = { readonly planVersion: number; readonly address: Address; readonly amount: bigint }

/** The current limits, which the confirmed terms must meet. */
export type TransferLimits = {
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

/** Returns the first objection to a transfer, in the order in which members see them. The password is checked later. */
export function findObjection(
  confirmed: ConfirmedTerms,
  { plan, address, available, quotaLeft }: TransferLimits,
): Objection | null {
  if (plan === null) return 'plan-none'
  if (plan.version !== confirmed.planVersion) return 'plan-changed'
  if (!isAddressEqual(address, confirmed.address)) return 'output-address-changed'
  if (confirmed.amount < plan.min || confirmed.amount > plan.max) return 'amount-range'
  if (confirmed.amount + plan.fee > available) return 'balance-insufficient'
  if (confirmed.amount > quotaLeft) return 'quota-insufficient'
  return null
}
