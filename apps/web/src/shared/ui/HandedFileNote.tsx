import type { HandedFile } from '../handover/index.ts'
import { useText } from '../i18n/index.ts'
import { FileNote } from './FileNote.tsx'

/** Reports that a file was shared or downloaded. `before` is a text in front of the report. */
export function HandedFileNote({ handed, before = '' }: { handed: HandedFile | null; before?: string }) {
  const t = useText()
  const text = handed && `${before}${t(`files.${handed.outcome}`)}`
  return <FileNote text={text} file={handed?.outcome === 'download' ? handed.file : null} />
}
