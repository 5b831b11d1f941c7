import { useEffect, useState } from 'react'
import { remainingUntil } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { useProfile } from '../profile/index.ts'

const TICK_MS = 10_000

/**
 * The protections of the account, and the time by the server's clock, so that a phone with a wrong clock counts down
 * correctly. When a period ends while it is shown, the profile is read again.
 */
export function useProtection() {
  const query = useProfile()
  const { data: profile, dataUpdatedAt, refetch } = query
  const [browserNow, setBrowserNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setBrowserNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])

  const protection = profile?.protection
  const now = protection ? Date.parse(protection.at) + Math.max(0, browserNow - dataUpdatedAt) : browserNow
  const next = protection ? nextEnd(protection) : null
  const hasEnded = next !== null && next <= now
  useEffect(() => {
    // Several parts of a screen can notice the end at the same time. One request is enough for all of them.
    if (hasEnded) void refetch({ cancelRefetch: false })
  }, [hasEnded, refetch])

  return { query, profile, protection, now }
}

/** The next end of a password lock, a reset, an address change or a hold, after the profile was read. */
function nextEnd(protection: NonNullable<ReturnType<typeof useProfile>['data']>['protection']): number | null {
  const ends = [
    protection.fundPassword.lockedUntil,
    protection.fundPassword.reset?.endsAt,
    protection.outputAddress.waiting?.bindsAt,
    ...protection.holds.map(({ endsAt }) => endsAt),
  ]
    .flatMap((end) => (end ? [Date.parse(end)] : []))
    .filter((end) => end > Date.parse(protection.at))
  return ends.length === 0 ? null : Math.min(...ends)
}

/** `47 h 59 min`, in the reader's language. From 48 hours on, days and hours. */
export function useRemaining(): (iso: string, now: number) => string {
  const t = useText()
  return (iso, now) => {
    const left = remainingUntil(iso, now)
    switch (left.unit) {
      case 'days':
        return t('protection.time.days', left)
      case 'hours':
        return t('protection.time.hours', left)
      case 'minutes':
        return t('protection.time.minutes', left)
    }
  }
}
