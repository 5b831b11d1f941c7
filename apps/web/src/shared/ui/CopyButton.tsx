import { Check, Copy } from 'lucide-react'
import { useCopy } from '../clipboard/index.ts'
import { CopyByHand } from './CopyByHand.tsx'
import { IconButton } from './IconButton.tsx'

export function CopyButton({ text, label }: { text: string; label: string }) {
  const copying = useCopy()
  return (
    <>
      <IconButton
        label={label}
        onClick={() => copying.copy(text)}
        icon={copying.copied ? <Check size={18} color="var(--jade)" /> : <Copy size={18} color="var(--ink-2)" />}
      />
      <CopyByHand copying={copying} />
    </>
  )
}
