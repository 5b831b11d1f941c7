import type { ReactNode } from 'react'
import styles from './Rows.module.css'

/** A list of facts, each with a name and a value. */
export function Rows({ children }: { children: ReactNode }) {
  return <dl className={styles.rows}>{children}</dl>
}

type RowProps = {
  label: ReactNode
  /** True if the value is always below its name, because it is too long to be beside it. */
  stacked?: boolean
  children: ReactNode
}

/** The value is beside its name, or below it if there is no room. */
export function Row({ label, stacked = false, children }: RowProps) {
  return (
    <div className={styles.row} data-stacked={stacked ? '' : undefined}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{children}</dd>
    </div>
  )
}
