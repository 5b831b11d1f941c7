import type { Handed } from '../handover/index.ts'
import { useText } from '../i18n/index.ts'
import { FileNote } from './FileNote.tsx'

/** Reports the outcome of a file that was handed over. `before`: a text in front of it. */
export function HandedNote({ handed, before = '' }: { handed: Handed | null; before?: string }) {
  const t = useText()
  const text = handed && `${before}${t(`files.${handed.outcome}`)}`
  return <FileNote text={text} file={handed?.outcome === 'download' ? handed.file : null} />
}
