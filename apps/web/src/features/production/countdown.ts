const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** The time that is left as a clock shows it, `06:14:09`. A started second counts as a whole one. */
export function formatCountdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1_000))
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  return [hours, minutes, seconds % 60].map(twoDigits).join(':')
}

type AnswerTime = {
  /** The pool's time when it answered, and this browser's time when the answer arrived. */
  readonly at: string
  readonly updatedAt: number
}

/**
 * The pool's current time. This browser's clock only measures the time since the answer, so it may be wrong. If it is set
 * meanwhile, the pool is asked again, see `useClockChange`.
 */
export const poolNow = ({ at, updatedAt }: AnswerTime, now: number): number =>
  Date.parse(at) + Math.max(0, now - updatedAt)
