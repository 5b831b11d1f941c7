import type { ReactNode } from 'react'
import styles from './BlockedNote.module.css'

/** A text above a button that says why the button cannot be pressed. */
export function BlockedNote({ children }: { children: ReactNode }) {
  return <p className={styles.note}>{children}</p>
}
