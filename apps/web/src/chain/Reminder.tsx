import { CircleAlert } from 'lucide-react'
import styles from './AccountChanged.module.css'

/** A button above the page that opens a closed sheet about the wallet again. */
export function Reminder({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button type="button" className={styles.reminder} onClick={onClick}>
      <CircleAlert size={16} aria-hidden="true" />
      {children}
    </button>
  )
}
