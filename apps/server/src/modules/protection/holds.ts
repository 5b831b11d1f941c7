import type { HoldReason } from '@lode/wire'

/** The facts about a member and its browser that decide the holds of a transfer. */
export type HoldFacts = {
  /** When the output address became bound; null if it is the member's own wallet. */
  readonly addressBoundAt: Date | null
  /** When the browser was first seen; null if the account was registered from it. */
  readonly deviceFirstSeenAt: Date | null
  /** When the fund password was last changed; the first choice is no change. */
  readonly passwordChangedAt: Date | null
  /** When a waiting reset ends, or when a completed one ended. A canceled reset does not count. */
  readonly resetEndsAt: Date | null
  readonly transfersLockedUntil: Date | null
}

export type Hold = { readonly reason: HoldReason; readonly endsAt: Date }

const HOUR_MS = 3_600_000

/**
 * How many hours a change waits before it counts. The SQL functions that begin the wait have the same numbers, so that
 * a stolen api role cannot shorten it. `holds.test.ts` compares them.
 */
export const WAIT_HOURS = { outputAddress: 48, reset: 72 } as const

/**
 * For how many hours transfers are held after each event; for a reset, after its end. The signer enforces this, not the
 * database. The api only shows it.
 */
export const HOLD_HOURS = { 'address-new': 48, 'device-new': 24, 'password-changed': 24, reset: 24 } as const

/** Hours from the event that begins a hold to the end of the hold. A reset holds transfers from its request on. */
export const HOLD_TOTAL_HOURS = { ...HOLD_HOURS, reset: WAIT_HOURS.reset + HOLD_HOURS.reset } as const

/**
 * Returns the holds that a transfer has at `now`, each with its end. Every end depends only on the event that caused
 * the hold, so asking again later never moves it.
 */
export function listHolds(now: Date, facts: HoldFacts): Hold[] {
  const ends: readonly [HoldReason, Date | null][] = [
    ['address-new', addHours(facts.addressBoundAt, HOLD_HOURS['address-new'])],
    ['device-new', addHours(facts.deviceFirstSeenAt, HOLD_HOURS['device-new'])],
    ['password-changed', addHours(facts.passwordChangedAt, HOLD_HOURS['password-changed'])],
    ['reset', addHours(facts.resetEndsAt, HOLD_HOURS.reset)],
    ['own-lock', facts.transfersLockedUntil],
  ]
  return ends.flatMap(([reason, endsAt]) => (endsAt !== null && endsAt > now ? [{ reason, endsAt }] : []))
}

const addHours = (moment: Date | null, hours: number): Date | null =>
  moment && new Date(moment.getTime() + hours * HOUR_MS)
