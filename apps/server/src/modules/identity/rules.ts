import { ok, type Result, refused } from '@lode/kernel'
import { type Address, getAddress, hexToBigInt, isAddress } from 'viem'
import type { RegistrationPolicy } from '../../platform/config/config.ts'

export const SESSION_IDLE_LIMIT_SECONDS = 30 * 60
export const SESSION_LIFETIME_SECONDS = 12 * 60 * 60
/** A session row is updated at most once in this time. So a session may end up to this much early, but never late. */
const LAST_ACTION_STEP_SECONDS = 60

/** Addresses below this are for precompiled contracts, and one is for burning. Nobody has a key for them. */
const RESERVED_BELOW = 2n ** 32n

/** The address with its checksum. Null if nobody can sign for it, or if the given checksum is wrong. */
export function parseAccount(text: string): Address | null {
  if (!isAddress(text)) return null
  return hexToBigInt(text) < RESERVED_BELOW ? null : getAddress(text)
}

/**
 * The new time of a session's last action, or null if it stays. A background refresh reports for how long the member
 * has been idle, so it does not count as an action. The time moves at most once a minute.
 */
export function computeLastActionAt(lastActionAt: Date, now: Date, idleSeconds: number): Date | null {
  const actedAt = now.getTime() - idleSeconds * 1_000
  return actedAt - lastActionAt.getTime() >= LAST_ACTION_STEP_SECONDS * 1_000 ? new Date(actedAt) : null
}

/** `country` is the country that our own proxy reports for the request. */
export function checkRegistrationAllowed(
  policy: RegistrationPolicy,
  country: string | undefined,
): Result<void, 'region-restricted' | 'registration-closed'> {
  switch (policy.kind) {
    case 'open':
      return ok(undefined)
    case 'closed':
      return refused('registration-closed')
    case 'by-country': {
      // Without a country, the proxy is not configured. Nobody can be checked, so registration is closed.
      if (country === undefined || !/^[A-Za-z]{2}$/.test(country)) return refused('registration-closed')
      return policy.restricted.has(country.toUpperCase()) ? refused('region-restricted') : ok(undefined)
    }
  }
}
