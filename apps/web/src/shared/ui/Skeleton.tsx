import type { ReactNode } from 'react'
import { useText } from '../i18n/index.ts'
import styles from './Skeleton.module.css'

/**
 * A placeholder bar of exactly the size of the later content. It gets a sample of that content, which is invisible and
 * hidden from screen readers.
 */
export function Skeleton({ children }: { children: ReactNode }) {
  return (
    <span className={styles.bar} aria-hidden="true">
      {children}
    </span>
  )
}

/** Tells screen readers that content is loading. */
export function LoadingStatus() {
  const t = useText()
  return (
    <p className="visually-hidden" role="status">
      {t('common.loading')}
    </p>
  )
}
