import { Check, Copy } from 'lucide-react'
import { useCopy } from '../clipboard/index.ts'
import { IconButton } from './IconButton.tsx'

export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopy()
  return (
    <IconButton
      label={label}
      onClick={() => copy(text)}
      icon={copied ? <Check size={18} color="var(--jade)" /> : <Copy size={18} color="var(--ink-2)" />}
    />
  )
}
