import { useEffect, useRef, useState } from 'react'
import { text as t } from '../i18n/index.ts'
import { toast } from '../notify/index.ts'
import { copyBySelection } from './copy-by-selection.ts'
import { copyText } from './copy-text.ts'

const COPIED_MS = 1_500

export type CopyState = {
  /** True for a moment after a successful copy. A toast also shows the outcome. */
  readonly copied: boolean
  /** The text that could not be copied. It is shown so that the member can copy it by hand. */
  readonly byHand: string | null
  readonly endByHand: () => void
  /** True if the text was copied. */
  readonly copy: (text: string) => Promise<boolean>
}

export function useCopy(): CopyState {
  const [copied, setCopied] = useState(false)
  const [byHand, setByHand] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  async function copy(text: string): Promise<boolean> {
    const outcome = await copyText(text, { clipboard: navigator.clipboard, copyBySelection })
    if (outcome === 'copied') {
      toast.success(t('errors.copySucceeded'))
      setCopied(true)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setCopied(false), COPIED_MS)
      return true
    }
    toast.error(t(outcome === 'unsupported' ? 'errors.clipboardUnsupported' : 'errors.copyFailed'))
    setCopied(false)
    setByHand(text)
    return false
  }

  return { copied, byHand, endByHand: () => setByHand(null), copy }
}
