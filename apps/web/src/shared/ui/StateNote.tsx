import type { ReactNode } from 'react'
import { Mark } from './Mark.tsx'
import styles from './StateNote.module.css'

type StateNoteProps = {
  /** Instead of the mark. */
  picture?: ReactNode
  /** Above the title: the number that stands for it. */
  code?: number
  title: string
  text?: string
  /** The way on. */
  children?: ReactNode
  /** True where it stands alone on its page and so is its heading. */
  page?: boolean
}

/** What stands where content would: nothing yet, nothing here, or it could not be had; and the way on. */
export function StateNote({ picture, code, title, text, children, page = false }: StateNoteProps) {
  return (
    <div className={styles.note} data-page={page ? '' : undefined}>
      {picture ?? <Mark size={page ? 88 : 56} />}
      <div className={styles.words}>
        {code && <p className={styles.code}>{code}</p>}
        {page ? <h1 className={styles.title}>{title}</h1> : <h2 className={styles.title}>{title}</h2>}
        {text && <p className={styles.text}>{text}</p>}
      </div>
      {children && <div className={styles.actions}>{children}</div>}
    </div>
  )
}
