import { useEffect, useRef, useState } from 'react'
import { text as t } from '../i18n/index.ts'
import { toast } from '../notify/index.ts'
import { writeClipboard } from './copy.ts'

const COPIED_MS = 1_500

/** `copied` is true for a moment after a copy that worked; how it went is also said in a toast. */
export function useCopy(): { copied: boolean; copy: (text: string) => Promise<void> } {
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  async function copy(text: string): Promise<void> {
    const outcome = await writeClipboard(navigator.clipboard, text)
    switch (outcome) {
      case 'copied':
        toast.success(t('errors.copySucceeded'))
        setCopied(true)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => setCopied(false), COPIED_MS)
        return
      case 'unsupported':
        return toast.error(t('errors.clipboardUnsupported'))
      case 'failed':
        return toast.error(t('errors.copyFailed'))
    }
  }

  return { copied, copy }
}
