import { lazy, Suspense, useState } from 'react'
import { useText } from '../i18n/index.ts'
import { Button } from './Button.tsx'
import styles from './FileNote.module.css'

const FileSheet = lazy(() => import('./FileSheet.tsx').then(({ FileSheet }) => ({ default: FileSheet })))

type FileNoteProps = {
  /** What is known about the file; null if there is nothing to report. */
  text: string | null
  /** The file that can be shown on the page itself. */
  file: File | null
}

/**
 * Reports the outcome for a file and offers to show it here, because a browser does not report whether it saved a file.
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
