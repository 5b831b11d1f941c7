import { type Address, getContractAddress, type Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { Random } from '../random.ts'

/**
 * A person with a wallet, who may be a member or not yet. `contract`: the wallet is a contract that verifies its
 * owner's signatures and can make several calls in one transaction.
 */
export type Actor = {
  readonly name: string
  readonly account: Address
  readonly kind: 'plain' | 'contract'
  readonly key: PrivateKeyAccount
  /** The token of the last answered sign-in. It may have expired. */
  token: string | null
  /** Whether the api has confirmed the registration. */
  isMember: boolean
  /** The invitation code that it uses, once it has chosen one. */
  invite: string | null
  /** The browser that it uses now, and since when (in seconds) if it is not the browser of registration. */
  browser: { readonly id: string; readonly newSince: number | null }
  /** The set-up code of the registration, until it is used. Null also if that answer was lost. */
  setupCode: string | null
  /** The fund password, and the one that a reset sets at a given time (in seconds). */
  password: string | null
  reset: { readonly password: string; readonly from: number } | null
}

const PLAIN = 9
const CONTRACTS = 2

export function makeActors(seed: number): Actor[] {
  const make = (number: number): Actor => {
    const key = privateKeyToAccount(new Random(seed, 'actor', number).hex32())
    const kind = number < PLAIN ? 'plain' : 'contract'
    // The wallet contract is the first contract that its owner deploys.
    const account = kind === 'plain' ? key.address : getContractAddress({ from: key.address, nonce: 0n })
    return {
      name: `${kind}-${number}`,
      account,
      kind,
      key,
      token: null,
      isMember: false,
      invite: null,
      browser: { id: browserId(new Random(seed, 'browser', number)), newSince: null },
      setupCode: null,
      password: null,
      reset: null,
    }
  }
  return Array.from({ length: PLAIN + CONTRACTS }, (_, number) => make(number))
}

export const browserId = (random: Random): string => random.hex32().slice(2, 24)

export const sign = (actor: Actor, message: string): Promise<Hex> => actor.key.signMessage({ message })
