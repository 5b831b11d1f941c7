import { Skeleton } from '../ui/index.ts'
import styles from './RecordCounts.module.css'

type RecordCountsProps = {
  /** Counted over all records, whatever the filter. Undefined while they load. */
  totals: { readonly total: number; readonly successes: number } | undefined
  names: { readonly total: string; readonly successes: string }
}

/** How many records there are, and how many of them succeeded. */
export function RecordCounts({ totals, names }: RecordCountsProps) {
  return (
    <dl className={styles.figures}>
      {(['total', 'successes'] as const).map((figure) => (
        <div key={figure} className={styles.figure}>
          <dt>{names[figure]}</dt>
          <dd>{totals ? totals[figure] : <Skeleton>00</Skeleton>}</dd>
        </div>
      ))}
    </dl>
  )
}
