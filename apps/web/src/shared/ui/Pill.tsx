import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './Pill.module.css'

/** A short state in words; the colour only repeats them. */
export function Pill({ tone, children }: { tone: 'jade' | 'neutral' | 'lode'; children: ReactNode }) {
  return <span className={classNames(styles.pill, styles[tone])}>{children}</span>
}
