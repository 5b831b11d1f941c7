import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './Pill.module.css'

/** A short state in words. The color only repeats what the words say. */
type PillProps = { tone: 'jade' | 'sky' | 'rose' | 'lode' | 'neutral'; children: ReactNode }

export function Pill({ tone, children }: PillProps) {
  return <span className={classNames(styles.pill, styles[tone])}>{children}</span>
}
