import { ok, type Result, refused } from '@lode/kernel'
import { type Address, getAddress, type Hex, isAddress, isAddressEqual } from 'viem'
import type { Session } from '../../platform/http/session.ts'
import { type ChallengePurpose, type Challenges, parseAccount } from '../identity/index.ts'

type Posted = { readonly message: string; readonly signature: string }

/** Verifies a signature by this account for this purpose. A sign-in signature, or another member's, is refused. */
export async function verifyOwnSignature<Kind extends ChallengePurpose['kind']>(
  challenges: Challenges,
  session: Session,
  posted: Posted,
  kind: Kind,
) {
  type Wanted = Extract<ChallengePurpose, { kind: Kind }>
  const signed = await challenges.verify(posted, (purpose): purpose is Wanted => purpose.kind === kind)
  return signed.ok && signed.value.account !== session.account ? refused('message-invalid' as const) : signed
}

/** Verifies that the wallet signed this output address. Returns null for the wallet's own, which needs no signature. */
export async function verifyAddressSignature(
  challenges: Challenges,
  session: Session,
  address: Address,
  { message, signature }: { readonly [Part in keyof Posted]?: string | undefined },
) {
  if (isAddressEqual(address, session.account)) return ok(null)
  if (message === undefined || signature === undefined) return refused('message-invalid' as const)
  const signed = await verifyOwnSignature(challenges, session, { message, signature }, 'output-address')
  if (!signed.ok) return signed
  if (!isAddressEqual(signed.value.purpose.address, address)) return refused('message-invalid' as const)
  return ok({ verified: signed.value, message, signature: signature as Hex })
}

/** Refuses addresses to which nobody can have the key, and the pool's own. */
export function parseOutputAddress(
  text: string,
  poolAddresses: readonly Address[],
): Result<Address, 'address-format' | 'output-address-refused'> {
  if (!isAddress(text)) return refused('address-format')
  const address = parseAccount(text)
  if (!address || poolAddresses.some((poolAddress) => isAddressEqual(poolAddress, getAddress(address))))
    return refused('output-address-refused')
  return ok(address)
}
