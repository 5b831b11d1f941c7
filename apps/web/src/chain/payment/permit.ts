import { ok, type Result, refused } from '@lode/kernel'
import type { Hex } from 'viem'
import { signTypedData } from '../connection.ts'
import type { Provider } from '../provider.ts'
import type { WalletProblem } from '../wallet-problem.ts'
import type { Permit } from './contracts.ts'
import type { Intent } from './payment.ts'
import type { Survey } from './wallet-requests.ts'

/** How long a permit is valid: long enough to confirm the permit and the payment. Later the signature is worthless. */
const PERMIT_SECONDS = 3_600

const types = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
}

/** Asks the wallet to sign that the vault may take the exact amount once (EIP-2612). */
export async function signPermit(
  provider: Provider,
  { account, vault, units }: Intent,
  { nonce, domain }: NonNullable<Survey['permit']>,
  chainTime: number,
): Promise<Result<Permit, WalletProblem>> {
  const deadline = BigInt(chainTime + PERMIT_SECONDS)
  const message = {
    owner: account,
    spender: vault,
    value: units.toString(),
    nonce: nonce.toString(),
    deadline: deadline.toString(),
  }
  const signed = await signTypedData(provider, account, { types, domain, primaryType: 'Permit', message })
  if (!signed.ok) return refused(signed.error === 'no-signature' ? 'unsupported' : signed.error)
  const parts = splitSignature(signed.value)
  return parts ? ok({ deadline, ...parts }) : refused('unsupported')
}

/** Null for a signature of another length than 65 bytes: only plain accounts' signatures can be verified by tokens. */
function splitSignature(signature: Hex): { v: number; r: Hex; s: Hex } | null {
  if (!/^0x[0-9a-f]{130}$/i.test(signature)) return null
  const v = Number.parseInt(signature.slice(130), 16)
  // Some hardware wallets return 0 or 1 for v instead of 27 or 28.
  return { r: `0x${signature.slice(2, 66)}`, s: `0x${signature.slice(66, 130)}`, v: v < 27 ? v + 27 : v }
}
