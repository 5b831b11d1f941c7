import { create } from 'zustand'

export type ToastMessage = { readonly tone: 'success' | 'error'; readonly text: string }

/**
 * The toasts that nobody has drawn yet. What draws them is 18 kB gzip, so it is loaded after the first paint, and the
 * toasts wait here until then.
 */
export const useWaitingToasts = create<{ toasts: readonly ToastMessage[] }>(() => ({ toasts: [] }))

const add = (message: ToastMessage): void =>
  useWaitingToasts.setState(({ toasts }) => ({ toasts: [...toasts, message] }))

/** Returns the waiting toasts, and none of them waits any longer. */
export function takeWaitingToasts(): readonly ToastMessage[] {
  const { toasts } = useWaitingToasts.getState()
  if (toasts.length > 0) useWaitingToasts.setState({ toasts: [] })
  return toasts
}

export const toast = {
  success: (text: string): void => add({ tone: 'success', text }),
  error: (text: string): void => add({ tone: 'error', text }),
}
