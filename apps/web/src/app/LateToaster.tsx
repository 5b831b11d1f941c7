import { type ComponentType, useEffect, useState } from 'react'
import { showMessage, takeWaitingToasts, useWaitingToasts } from '../shared/notify/index.ts'
import { useIsLate } from './use-is-late.ts'

/**
 * The toasts. Loaded after the first paint, or sooner for the first toast: early enough that a toast about a lost
 * network can still be shown. If loading fails, toasts are shown as messages at the top of the view: most browsers
 * remember a failed import until the page is loaded again.
 */
export function LateToaster() {
  const [Toaster, setToaster] = useState<ComponentType | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const hasToast = useWaitingToasts(({ toasts }) => toasts.length > 0)
  const isLate = useIsLate()
  const isNeeded = Toaster === null && (hasToast || (isLate && !hasFailed))
  useEffect(() => {
    if (!isNeeded) return
    import('../shared/toaster/index.ts').then(
      (module) => setToaster(() => module.Toaster),
      () => {
        for (const { tone, text } of takeWaitingToasts())
          showMessage({ tone: tone === 'error' ? 'error' : 'info', text })
        setHasFailed(true)
      },
    )
  }, [isNeeded])
  return Toaster && <Toaster />
}
