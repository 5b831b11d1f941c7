import type { ReactNode } from 'react'
import styles from './Pair.module.css'

/** Two elements at the two ends of a line: usually a name, and its amount or state. */
export function Pair({ children }: { children: ReactNode }) {
  return <div className={styles.pair}>{children}</div>
}
