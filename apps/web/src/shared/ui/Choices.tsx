import type { ReactNode } from 'react'
import styles from './Choices.module.css'

/** What can be done about what a note says: plain buttons, side by side. */
export function Choices({ children }: { children: ReactNode }) {
  return <div className={styles.choices}>{children}</div>
}
