import type { Intent, Request, WouldFail } from './payment.ts'
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
 * The requests to the wallet, in order. If an earlier payment may still arrive, only one of the two may succeed.
 * Without permits the allowance is enough for exactly one. With permits the earlier payment may carry a permit, which
 * would renew an allowance that the second used up. So the second carries a permit too, with the same nonce: the token
 * accepts only one of them, and no other allowance is left that either could use.
 */
export function requestsFor(
  { allowance, resetFirst, permit }: Survey,
  units: bigint,
  { repeated, permits }: Circumstances,
): [Request, ...Request[]] {
  if (permit && permits && repeated) return allowance >= units ? ['reset', 'permit', 'pay'] : ['permit', 'pay']
  if (repeated ? allowance === units : allowance >= units) return ['pay']
  if (permit && permits) return ['permit', 'pay']
  return resetFirst ? ['reset', 'approve', 'pay'] : ['approve', 'pay']
}

/** Reported before the wallet opens, because the payment would fail. */
export function wouldFail(
  { vaultPaused, balance, chainTime }: Survey,
  { units, purpose }: Pick<Intent, 'units' | 'purpose'>,
): WouldFail | null {
  if (purpose.kind === 'order' && chainTime > purpose.deadline) return 'late'
  if (vaultPaused) return 'vault-paused'
  return balance < units ? 'balance' : null
}
