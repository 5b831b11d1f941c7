const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** What is left as a clock shows it, `06:14:09`; a second that has begun counts as one. */
export function countdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1_000))
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  return [hours, minutes, seconds % 60].map(twoDigits).join(':')
}

type Answered = {
  /** The pool's time when it answered, and the browser's when that came. */
  readonly at: string
  readonly updatedAt: number
}

/** The pool's time now: whatever the clock of this browser says, only what has passed on it since counts. */
export const poolNow = ({ at, updatedAt }: Answered, now: number): number =>
  Date.parse(at) + Math.max(0, now - updatedAt)
