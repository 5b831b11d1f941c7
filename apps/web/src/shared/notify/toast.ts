import { Toast } from '@base-ui/react/toast'

const TOAST_MS = 2_000

/** Drawn by the app's `Toaster`; called from anywhere. */
export const toastManager = Toast.createToastManager()

/** The text is the toast's id: three calls that fail for the same reason say so once. */
export const toast = {
  success: (text: string): void =>
    void toastManager.add({ id: text, title: text, type: 'success', timeout: TOAST_MS, priority: 'low' }),
  error: (text: string): void =>
    void toastManager.add({ id: text, title: text, type: 'error', timeout: TOAST_MS, priority: 'high' }),
}
