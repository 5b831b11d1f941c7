import { ok, type Result, refused } from '@lode/kernel'
import { type Address, getAddress, hexToBigInt, isAddress } from 'viem'
import type { RegistrationPolicy } from '../../platform/config/config.ts'

export const IDLE_LIMIT_SECONDS = 30 * 60
export const LIFETIME_SECONDS = 12 * 60 * 60
/** A session is written at most this often; until then it may end up to this much early, never late. */
const SLIDE_SECONDS = 60

/** Chains put precompiled contracts here, and nobody has a key to it. */
const RESERVED_BELOW = 2n ** 32n
const BURN_ADDRESS = 0x000000000000000000000000000000000000deadn

/** The address in the one spelling that we keep, or null where nobody can sign for it or its checksum is wrong. */
export function parseAccount(text: string): Address | null {
  if (!isAddress(text)) return null
  const value = hexToBigInt(text)
  return value < RESERVED_BELOW || value === BURN_ADDRESS ? null : getAddress(text)
}

/**
 * What time a session's last action is to be moved to, or null where it stays: background refreshes report the member as
 * idle and so move nothing, and nothing is written more often than once a minute.
 */
export function slideTo(lastActionAt: Date, now: Date, idleSeconds: number): Date | null {
  const actedAt = now.getTime() - idleSeconds * 1_000
  return actedAt - lastActionAt.getTime() >= SLIDE_SECONDS * 1_000 ? new Date(actedAt) : null
}

/** `country` is what our own proxy says of where the request comes from. */
export function mayRegister(
  policy: RegistrationPolicy,
  country: string | undefined,
): Result<void, 'region-restricted' | 'registration-closed'> {
  switch (policy.kind) {
    case 'open':
      return ok(undefined)
    case 'closed':
      return refused('registration-closed')
    case 'by-country': {
      // Without a country nobody can be told from anybody: the proxy is not set up, so registration is closed.
      if (country === undefined || !/^[A-Za-z]{2}$/.test(country)) return refused('registration-closed')
      return policy.restricted.has(country.toUpperCase()) ? refused('region-restricted') : ok(undefined)
    }
  }
}
