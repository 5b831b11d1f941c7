import { useCallback, useState } from 'react'
import { downloadFile } from './download.ts'
import { type HandedOver, handOver } from './hand-over.ts'

/** A file that was handed over, with the outcome. */
export type Handed = { readonly file: File; readonly outcome: Exclude<HandedOver, 'put-away'> }

/** Hands files over. `handed` is null before that, and after the member closed the share sheet without sharing. */
export function useHandOver() {
  const [handed, setHanded] = useState<Handed | null>(null)
  const forget = useCallback(() => setHanded(null), [])
  const hand = useCallback(async (file: File): Promise<void> => {
    setHanded(null)
    const isTouch = window.matchMedia('(pointer: coarse)').matches
    const outcome = await handOver(file, { browser: navigator, isTouch, download: downloadFile })
    if (outcome !== 'put-away') setHanded({ file, outcome })
  }, [])
  return { handed, hand, forget }
}
