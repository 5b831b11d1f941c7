import { create } from 'zustand'

/** Null until it is first opened: until then nothing of it needs to be loaded. What it was about stays while it closes. */
export const useOrderSheet = create<{ id: string | null; open: boolean }>(() => ({ id: null, open: false }))

/** Opens an order above whatever page is shown: where it stands, how to pay it, how to cancel it. */
export const openOrder = (id: string): void => useOrderSheet.setState({ id, open: true })

export const closeOrder = (): void => useOrderSheet.setState({ open: false })
