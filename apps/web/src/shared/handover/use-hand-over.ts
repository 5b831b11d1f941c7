import { useCallback, useState } from 'react'
import { downloadFile } from './download-file.ts'
import { type HandOverOutcome, handOver } from './hand-over.ts'

/** A file that was shared or downloaded, with the outcome. */
export type HandedFile = { readonly file: File; readonly outcome: Exclude<HandOverOutcome, 'put-away'> }

/** Hands files over. `handed` is null at first, and after the member closed the share sheet without sharing. */
export function useHandOver() {
  const [handed, setHanded] = useState<HandedFile | null>(null)
  const forget = useCallback(() => setHanded(null), [])
  const hand = useCallback(async (file: File): Promise<void> => {
    setHanded(null)
    const isTouch = window.matchMedia('(pointer: coarse)').matches
    const outcome = await handOver(file, { browser: navigator, isTouch, download: downloadFile })
    if (outcome !== 'put-away') setHanded({ file, outcome })
  }, [])
  return { handed, hand, forget }
}
