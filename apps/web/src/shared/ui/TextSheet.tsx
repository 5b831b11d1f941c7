import { useRef } from 'react'
import { Sheet } from './Sheet.tsx'
import { TextToCopy } from './TextToCopy.tsx'

type TextSheetProps = { title: string; text: string; value: string; onClose: () => void }

/** Shows a text in full and selects it, so that the member can copy it by hand. `text` explains why. */
export function TextSheet({ title, text, value, onClose }: TextSheetProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  return (
    <Sheet open onClose={onClose} title={title} text={text} initialFocus={field}>
      <TextToCopy ref={field} label={title} value={value} selected />
    </Sheet>
  )
}
