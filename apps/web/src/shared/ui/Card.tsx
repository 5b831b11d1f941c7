import type { ReactNode } from 'react'
import styles from './Card.module.css'

type CardProps = {
  /** A title makes the card a section with a heading, to which screen readers can jump. */
  title?: string
  /** Shown beside the title: a time, a link or a state. */
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
