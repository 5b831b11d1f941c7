import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect } from 'react'
import { useText } from '../i18n/index.ts'
import { takeWaitingToasts, useWaitingToasts } from '../notify/index.ts'
import styles from './Toaster.module.css'

const TOAST_MS = 2_000

const toastManager = Toast.createToastManager()

/** The text is the toast's id, so three calls that fail for the same reason show one toast. */
function showWaitingToasts(): void {
  for (const { tone, text } of takeWaitingToasts()) {
    const priority = tone === 'error' ? 'high' : 'low'
    toastManager.add({ id: text, title: text, type: tone, timeout: TOAST_MS, priority })
  }
}

/** Mounted once, beside the app. */
export function Toaster() {
  const t = useText()
  // Effects of a parent run after those of its children, so the provider already listens to the manager.
  useEffect(() => {
    showWaitingToasts()
    return useWaitingToasts.subscribe(showWaitingToasts)
  }, [])
  return (
    <Toast.Provider toastManager={toastManager} limit={2}>
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport} aria-label={t('common.notifications')}>
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Toasts() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((one) => (
    // A toast has no control, so the Tab key skips it. Base UI announces errors through a hidden element of its own.
    <Toast.Root key={one.id} toast={one} className={styles.toast} swipeDirection={['up', 'down']} tabIndex={-1}>
      <Toast.Content className={styles.content}>
        {one.type === 'success' ? (
          <CircleCheck className={styles.success} size={32} strokeWidth={1.75} aria-hidden="true" />
        ) : (
          <CircleAlert className={styles.error} size={32} strokeWidth={1.75} aria-hidden="true" />
        )}
        <Toast.Title className={styles.title} />
      </Toast.Content>
    </Toast.Root>
  ))
}
