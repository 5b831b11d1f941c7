import { type Address, getContractAddress, type Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { Random } from '../random.ts'

/**
 * Somebody with a wallet, who may be a member or not yet. `contract`: the wallet is a contract that its owner's key signs for
 * and that can do several things in one transaction.
 */
export type Actor = {
  readonly name: string
  readonly account: Address
  readonly kind: 'plain' | 'contract'
  readonly key: PrivateKeyAccount
  /** Of the last sign-in that was answered; it may have expired since. */
  token: string | null
  /** Whether the api has said so. */
  isMember: boolean
  /** The invitation that it comes with, once it has chosen one. */
  invite: string | null
  /** The browser that it uses now, and since when (in seconds) if that is not the one of registration. */
  browser: { readonly id: string; readonly newSince: number | null }
  /** What registration answered with, until it is used; null also where that answer was never heard. */
  setupCode: string | null
  /** The fund password, and one that a reset brings at a time (in seconds). */
  password: string | null
  reset: { readonly password: string; readonly from: number } | null
}

const PLAIN = 9
const CONTRACTS = 2

export function makeActors(seed: number): Actor[] {
  const make = (number: number): Actor => {
    const key = privateKeyToAccount(new Random(seed, 'actor', number).hex32())
    const kind = number < PLAIN ? 'plain' : 'contract'
    // The wallet is the first thing that its owner puts on the chain.
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
