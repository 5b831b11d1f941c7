import type { ReactNode } from 'react'
import { useText } from '../i18n/index.ts'
import styles from './Skeleton.module.css'

/** A bar exactly as large as what will stand there. It is given a sample of that, which nobody sees or hears. */
export function Skeleton({ children }: { children: ReactNode }) {
  return (
    <span className={styles.bar} aria-hidden="true">
      {children}
    </span>
  )
}

/** Says to those who cannot see the bars that something is on its way. */
export function LoadingStatus() {
  const t = useText()
  return (
    <p className="visually-hidden" role="status">
      {t('common.loading')}
    </p>
  )
}
