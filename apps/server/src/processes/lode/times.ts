export { formatUtc } from '../../modules/operators/index.ts'

/** A time to wait for to the second: `2027-01-31 12:00:05 UTC`. */
export const formatSeconds = (time: Date): string => `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`

const MINUTE_MS = 60_000

/** How long ago, in the two largest units: `3 d 4 h`, `5 h 12 min`, `7 min`. */
export function formatAge(time: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - time.getTime()) / MINUTE_MS))
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24]
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`
  if (hours > 0) return minutes % 60 > 0 ? `${hours} h ${minutes % 60} min` : `${hours} h`
  return `${minutes} min`
}
