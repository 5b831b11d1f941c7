import type { ReactNode } from 'react'
import styles from './Said.module.css'

/** Above a button: what stands in the way of pressing it. */
export function Said({ children }: { children: ReactNode }) {
  return <p className={styles.said}>{children}</p>
}
