import type { ReactNode } from 'react'
import styles from './Rows.module.css'

/** A list of facts, each a name and what it is. */
export function Rows({ children }: { children: ReactNode }) {
  return <dl className={styles.rows}>{children}</dl>
}

type RowProps = {
  label: string
  /** For what is too long to stand beside its name. */
  stacked?: boolean
  children: ReactNode
}

/** The value stands beside its name, and below it where there is no room. */
export function Row({ label, stacked = false, children }: RowProps) {
  return (
    <div className={styles.row} data-stacked={stacked ? '' : undefined}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{children}</dd>
    </div>
  )
}
