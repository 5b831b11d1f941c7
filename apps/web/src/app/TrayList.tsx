import type { ReactNode } from 'react'
import { useText } from '../shared/i18n/index.ts'
import { Sheet } from '../shared/ui/index.ts'
import styles from './PendingTray.module.css'

/** The list of all payments, if there is more than one. */
export function TrayList({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  const t = useText()
  return (
    <Sheet open onClose={onClose} title={t('payment.tray.label')}>
      <ul className={styles.list}>{children}</ul>
    </Sheet>
  )
}
