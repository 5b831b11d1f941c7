import { lazy, Suspense, useState } from 'react'
import { useText } from '../i18n/index.ts'
import { Button } from './Button.tsx'
import styles from './FileNote.module.css'

const FileSheet = lazy(() => import('./FileSheet.tsx').then(({ FileSheet }) => ({ default: FileSheet })))

type FileNoteProps = {
  /** The report on the file; null if there is nothing to report. */
  text: string | null
  /** The file, if the note offers to show it on the page. */
  file: File | null
}

/**
 * Reports what happened to a file. It offers to show the file on the page, because a browser does not report whether it
 * saved it.
 */
export function FileNote({ text, file }: FileNoteProps) {
  const t = useText()
  const [shown, setShown] = useState(false)
  return (
    <div className={styles.note} data-empty={text === null ? '' : undefined}>
      <p role="status">{text}</p>
      {text !== null && file && (
        <>
          <span className={styles.show}>
            <Button tone="plain" onClick={() => setShown(true)}>
              {t('files.show')}
            </Button>
          </span>
          <Suspense>{shown && <FileSheet file={file} onClose={() => setShown(false)} />}</Suspense>
        </>
      )}
    </div>
  )
}
