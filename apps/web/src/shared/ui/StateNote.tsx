import type { ReactNode } from 'react'
import { Logo } from './Logo.tsx'
import styles from './StateNote.module.css'

type StateNoteProps = {
  /** Shown instead of the logo. */
  picture?: ReactNode
  /** A number above the title, such as 404. */
  code?: number
  title: string
  text?: string
  /** The buttons or links to continue. */
  children?: ReactNode
  /** True if the note is the whole page, so that its title is the page's heading. */
  page?: boolean
}

/** Shown in place of content that is empty, missing or could not be loaded, with a way to continue. */
export function StateNote({ picture, code, title, text, children, page = false }: StateNoteProps) {
  return (
    <div className={styles.note} data-page={page ? '' : undefined}>
      {picture ?? <Logo size={page ? 88 : 56} />}
      <div className={styles.words}>
        {code && <p className={styles.code}>{code}</p>}
        {page ? <h1 className={styles.title}>{title}</h1> : <h2 className={styles.title}>{title}</h2>}
        {text && <p className={styles.text}>{text}</p>}
      </div>
      {children && <div className={styles.actions}>{children}</div>}
    </div>
  )
}
