import type { ReactNode } from 'react'
import styles from './Choices.module.css'

/** The actions of a note: plain buttons, side by side. */
export function Choices({ children }: { children: ReactNode }) {
  return <div className={styles.choices}>{children}</div>
}
