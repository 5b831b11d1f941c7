import { CircleAlert, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './Note.module.css'

/** `sky` tells, `lode` wants attention, `rose` says that something went wrong. */
export type NoteTone = 'sky' | 'rose' | 'lode'

/** Something to be known before the rest of the screen is read. */
export function Note({ tone, children }: { tone: NoteTone; children: ReactNode }) {
  return (
    <div className={styles.note} data-tone={tone}>
      {tone === 'sky' ? <Info size={18} aria-hidden="true" /> : <CircleAlert size={18} aria-hidden="true" />}
      <div className={styles.words}>{children}</div>
    </div>
  )
}
