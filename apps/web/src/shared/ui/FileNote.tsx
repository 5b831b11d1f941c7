import { lazy, Suspense, useState } from 'react'
import { useText } from '../i18n/index.ts'
import { Button } from './Button.tsx'
import styles from './FileNote.module.css'

const FileSheet = lazy(() => import('./FileSheet.tsx').then(({ FileSheet }) => ({ default: FileSheet })))

type FileNoteProps = {
  /** What is known of the file; null while there is nothing to say. */
  text: string | null
  /** Offered to be shown on the page itself. */
  file: File | null
}

/** Says what became of a file, and offers to show it here: a browser does not tell whether it kept what it was given. */
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
