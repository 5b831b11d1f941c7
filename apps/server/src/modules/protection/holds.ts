import type { HoldReason } from '@lode/wire'

/** What is known about a member, and the browser that asks, when a transfer is judged. */
export type KnownForHolds = {
  /** When the output address became bound; null where it is the member's own wallet. */
  readonly addressBoundAt: Date | null
  /** When the browser was first seen; null where the account was registered from it. */
  readonly deviceFirstSeenAt: Date | null
  /** When the fund password was last changed; the first choice is no change. */
  readonly passwordChangedAt: Date | null
  /** When a reset ends that waits, or ended that was waited out; one that was cancelled is none. */
  readonly resetEndsAt: Date | null
  readonly transfersLockedUntil: Date | null
}

export type Hold = { readonly reason: HoldReason; readonly endsAt: Date }

const HOUR_MS = 3_600_000

/**
 * Why a transfer that was asked for at `now` waits, and until when each reason holds it. Every end is fixed by what happened,
 * not by when it is asked: asking later never moves one.
 */
export function holdsAt(now: Date, known: KnownForHolds): Hold[] {
  const ends: readonly [HoldReason, Date | null][] = [
    ['address-new', after(known.addressBoundAt, 48)],
    ['device-new', after(known.deviceFirstSeenAt, 24)],
    ['password-changed', after(known.passwordChangedAt, 24)],
    ['reset', after(known.resetEndsAt, 24)],
    ['own-lock', known.transfersLockedUntil],
  ]
  return ends.flatMap(([reason, endsAt]) => (endsAt !== null && endsAt > now ? [{ reason, endsAt }] : []))
}

const after = (moment: Date | null, hours: number): Date | null =>
  moment && new Date(moment.getTime() + hours * HOUR_MS)
