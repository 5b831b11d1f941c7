import type { Intent, PredictedFailure, WalletRequest } from './payment.ts'
import type { SigningDomain } from './signing-domain.ts'

/** What the app reads from the chain about the token, the vault and the member's account before the wallet is asked. */
export type Survey = {
  /** The token balance of the member's wallet. */
  readonly balance: bigint
  readonly allowance: bigint
  /** The token refuses to change a nonzero allowance into another nonzero one. Tether does this; ERC-20 does not. */
  readonly resetFirst: boolean
  /** Null for a token without permits, and for an account whose signatures no token can verify. */
  readonly permit: { readonly nonce: bigint; readonly domain: SigningDomain } | null
  readonly vaultPaused: boolean
  /** The account's balance in the chain's own currency, which pays the network fee. */
  readonly ether: bigint
  /** Seconds, by the chain's clock. */
  readonly chainTime: number
}

type Circumstances = {
  /** The wallet was asked to pay before, that payment may still arrive, and the vault would accept a second one. */
  readonly repeated: boolean
  /** False once the wallet has said that it cannot sign permits. */
  readonly permits: boolean
}

/**
 * The requests to the wallet, in order. If an earlier payment may still arrive, the requests must make sure that only
 * one of the two payments succeeds. Without permits, the allowance is enough for exactly one. With permits, the earlier
 * payment may carry a permit, which would renew an allowance that the second payment has used up. So the second payment
 * carries a permit with the same nonce, and the token accepts only one of the two permits. An allowance that would be
 * enough without a permit is reset first.
 */
export function listRequests(
  { allowance, resetFirst, permit }: Survey,
  units: bigint,
  { repeated, permits }: Circumstances,
): [WalletRequest, ...WalletRequest[]] {
  if (permit && permits && repeated) return allowance >= units ? ['reset', 'permit', 'pay'] : ['permit', 'pay']
  if (repeated ? allowance === units : allowance >= units) return ['pay']
  if (permit && permits) return ['permit', 'pay']
  return resetFirst ? ['reset', 'approve', 'pay'] : ['approve', 'pay']
}

/** Why the payment would fail, so that the app can say so before the wallet opens. Null if no reason is known. */
export function predictFailure(
  { vaultPaused, balance, chainTime }: Survey,
  { units, purpose }: Pick<Intent, 'units' | 'purpose'>,
): PredictedFailure | null {
  if (purpose.kind === 'order' && chainTime > purpose.deadline) return 'late'
  if (vaultPaused) return 'vault-paused'
  return balance < units ? 'balance' : null
}
