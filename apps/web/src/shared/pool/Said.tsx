import type { ReactNode } from 'react'
import styles from './Said.module.css'

/** A text above a button that says why the button cannot be pressed. */
export function Said({ children }: { children: ReactNode }) {
  return <p className={styles.said}>{children}</p>
}
