import type { ReactNode } from 'react'
import styles from './Pair.module.css'

/** Two that stand at the ends of one line: what it is, and how much or how it stands. */
export function Pair({ children }: { children: ReactNode }) {
  return <div className={styles.pair}>{children}</div>
}
