import type { ReactNode } from 'react'
import styles from './Card.module.css'

type CardProps = {
  /** A heading makes the card a section that can be jumped to. */
  title?: string
  /** Beside the title: when it was computed, a link, a state. */
  aside?: ReactNode
  children: ReactNode
}

export function Card({ title, aside, children }: CardProps) {
  if (title === undefined) return <div className={styles.card}>{children}</div>
  return (
    <section className={styles.card}>
      <header className={styles.head}>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
