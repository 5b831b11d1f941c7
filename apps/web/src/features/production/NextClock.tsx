import { useNow } from '../../shared/clock/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Pill } from '../../shared/ui/index.ts'
import { formatCountdown, poolNow } from './countdown.ts'
import styles from './NextClock.module.css'
import { useClockChange } from './use-clock-change.ts'
import { type NextDay, readNextDayAgain } from './use-next-day.ts'

type NextClockProps = {
  next: NonNullable<NextDay['next']>
  /** The pool's time when it answered, and this browser's time when the answer arrived. */
  at: string
  updatedAt: number
}

/** The time until the next production, or what it waits for. */
export function NextClock({ next, at, updatedAt }: NextClockProps) {
  const t = useText()
  const now = useNow(1_000)
  useClockChange(now, readNextDayAgain)
  if (next.state !== 'scheduled') return <Pill tone="sky">{t(`pledge.waits.${next.state}`)}</Pill>
  return (
    <p className={styles.clock} role="timer">
      {formatCountdown(Date.parse(next.at) - poolNow({ at, updatedAt }, now))}
    </p>
  )
}
