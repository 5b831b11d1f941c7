import { create } from 'zustand'

export type Message = { readonly tone: 'error' | 'info'; readonly text: string }

const MESSAGE_MS = 3_000

export const useMessage = create<{ message: Message | null }>(() => ({ message: null }))

let timer: ReturnType<typeof setTimeout> | undefined

/** Says something at the top of the view that is open, in place of a toast where the view itself is concerned. */
export function showMessage(message: Message): void {
  clearTimeout(timer)
  useMessage.setState({ message })
  timer = setTimeout(() => useMessage.setState({ message: null }), MESSAGE_MS)
}
