import type { ReactNode } from 'react'
import styles from './Columns.module.css'

/** Two columns in a large window. On a phone the second one follows the first. */
export function Columns({ main, side }: { main: ReactNode; side: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.column}>{main}</div>
      <div className={styles.column}>{side}</div>
    </div>
  )
}
