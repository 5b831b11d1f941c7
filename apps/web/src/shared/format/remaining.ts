const MINUTE_MS = 60_000

/**
 * The time that is left: in days and hours from 48 hours on, in hours and minutes from one hour on, and in minutes
 * below that. A started minute counts as a whole one.
 */
export type Remaining =
  | { readonly unit: 'days'; readonly days: number; readonly hours: number }
  | { readonly unit: 'hours'; readonly hours: number; readonly minutes: number }
  | { readonly unit: 'minutes'; readonly minutes: number }

export function remainingUntil(iso: string, now: number): Remaining {
  const minutes = Math.max(0, Math.ceil((Date.parse(iso) - now) / MINUTE_MS))
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return { unit: 'days', days: Math.floor(hours / 24), hours: hours % 24 }
  if (hours >= 1) return { unit: 'hours', hours, minutes: minutes % 60 }
  return { unit: 'minutes', minutes }
}
