import { create } from 'zustand'

/** The overlay never covers the screen longer than this. */
const MAX_LOADING_MS = 180_000

export const useLoading = create<{ text: string | null }>(() => ({ text: null }))

/** Covers the app until the returned function is called. The text is "Loading..." unless another is given. */
export function startLoading(text = ''): () => void {
  const mine = { text }
  useLoading.setState(mine, true)
  const stop = () => {
    clearTimeout(timer)
    if (useLoading.getState() === mine) useLoading.setState({ text: null }, true)
  }
  const timer = setTimeout(stop, MAX_LOADING_MS)
  return stop
}
