import { CircleAlert, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './Note.module.css'

/** `sky` informs, `lode` asks for attention, `rose` reports a failure. */
export type NoteTone = 'sky' | 'rose' | 'lode'

/** A text that the member should read before the rest of the screen. */
export function Note({ tone, children }: { tone: NoteTone; children: ReactNode }) {
  return (
    <div className={styles.note} data-tone={tone}>
      {tone === 'sky' ? <Info size={18} aria-hidden="true" /> : <CircleAlert size={18} aria-hidden="true" />}
      <div className={styles.words}>{children}</div>
    </div>
  )
}
