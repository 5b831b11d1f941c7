import type { ReactNode } from 'react'
import styles from './NoteActions.module.css'

/** The actions of a note: plain buttons, side by side. */
export function NoteActions({ children }: { children: ReactNode }) {
  return <div className={styles.choices}>{children}</div>
}
