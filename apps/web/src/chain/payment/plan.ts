import type { Intent, Request, WouldFail } from './payment.ts'
import type { SigningDomain } from './signing-domain.ts'

/** What the chain says of a token, the vault and the member's account, before anything is asked of the wallet. */
export type Survey = {
  /** What the member's wallet holds of the token. */
  readonly balance: bigint
  readonly allowance: bigint
  /** The token does not let this allowance be changed into another, as ERC-20 has it and Tether has not. */
  readonly resetFirst: boolean
  /** Null for a token without permits, or an account whose signatures no token can check. */
  readonly permit: { readonly nonce: bigint; readonly domain: SigningDomain } | null
  readonly vaultPaused: boolean
  /** In the chain's own currency, by which the network's fee is paid. */
  readonly ether: bigint
  /** Seconds, by the chain's clock. */
  readonly chainTime: number
}

type Circumstances = {
  /** The wallet has been asked to pay before, that payment may still arrive, and the vault would take a second one. */
  readonly repeated: boolean
  /** The wallet can sign permits, as far as is known. */
  readonly permits: boolean
}

/**
 * What the wallet will be asked for, in order. Where a payment may still be on its way, whichever of the two comes first must
 * leave nothing for the other. Without permits there is an allowance for exactly one. With them the first may carry a permit,
 * which would renew an allowance that the second has used up; so the second carries one too, of the same number, of which the
 * token takes only one, and there is no allowance besides that either could take instead.
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

/** Told before the wallet opens: it would be for nothing. */
export function wouldFail(
  { vaultPaused, balance, chainTime }: Survey,
  { units, purpose }: Pick<Intent, 'units' | 'purpose'>,
): WouldFail | null {
  if (purpose.kind === 'order' && chainTime > purpose.deadline) return 'late'
  if (vaultPaused) return 'vault-paused'
  return balance < units ? 'balance' : null
}
