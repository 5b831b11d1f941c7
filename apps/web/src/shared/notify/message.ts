import { create } from 'zustand'

export type Message = { readonly tone: 'error' | 'info'; readonly text: string }

const MESSAGE_MS = 3_000

export const useMessage = create<{ message: Message | null }>(() => ({ message: null }))

let timer: ReturnType<typeof setTimeout> | undefined

/** Shows a message at the top of the open view. Used instead of a toast if the message is about the view itself. */
export function showMessage(message: Message): void {
  clearTimeout(timer)
  useMessage.setState({ message })
  timer = setTimeout(() => useMessage.setState({ message: null }), MESSAGE_MS)
}
