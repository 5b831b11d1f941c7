import { type ComponentType, useEffect, useState } from 'react'
import { takeWaitingToasts, useWaitingToasts } from '../shared/notify/index.ts'

/** By then the first view is drawn and its first reads are answered, even on most slow networks. */
const DELAY_MS = 3_000

/**
 * The toasts. Loaded some seconds after the first paint, or sooner for the first toast: early enough that a toast about
 * a lost network can still be shown. If loading fails, the toasts of that moment are lost, and the next one tries again.
 */
export function LateToaster() {
  const [Toaster, setToaster] = useState<ComponentType | null>(null)
  const hasToast = useWaitingToasts(({ toasts }) => toasts.length > 0)
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [])

  const isNeeded = Toaster === null && (hasToast || isLate)
  useEffect(() => {
    if (!isNeeded) return
    import('../shared/toaster/index.ts').then(
      (module) => setToaster(() => module.Toaster),
      () => {
        takeWaitingToasts()
        setIsLate(false)
      },
    )
  }, [isNeeded])
  return Toaster && <Toaster />
}
