import { Toast } from '@base-ui/react/toast'

const TOAST_MS = 2_000

/** Holds the toasts that `Toaster` draws. Code outside of components can add toasts too. */
export const toastManager = Toast.createToastManager()

/** The text is the toast's id, so three calls that fail for the same reason show one toast. */
export const toast = {
  success: (text: string): void =>
    void toastManager.add({ id: text, title: text, type: 'success', timeout: TOAST_MS, priority: 'low' }),
  error: (text: string): void =>
    void toastManager.add({ id: text, title: text, type: 'error', timeout: TOAST_MS, priority: 'high' }),
}
