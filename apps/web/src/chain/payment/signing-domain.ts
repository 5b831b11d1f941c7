import type { Address, Hex } from 'viem'
import { decodeAbiParameters } from 'viem/utils'

/** The EIP-712 domain of a permit's signature, as the token reports it (EIP-5267). */
export type SigningDomain = {
  readonly name: string
  readonly version: string
  readonly chainId: number
  readonly verifyingContract: Address
}

/** The bits of a domain with name, version, chain and contract. The app cannot sign for a domain with other fields. */
const PLAIN_DOMAIN = '0x0f'

export function parseDomain(answer: Hex): SigningDomain | null {
  try {
    const [fields, name, version, chainId, verifyingContract] = decodeAbiParameters(
      [
        { type: 'bytes1' },
        { type: 'string' },
        { type: 'string' },
        { type: 'uint256' },
        { type: 'address' },
        { type: 'bytes32' },
        { type: 'uint256[]' },
      ],
      answer,
    )
    return fields === PLAIN_DOMAIN ? { name, version, chainId: Number(chainId), verifyingContract } : null
  } catch {
    return null
  }
}
