import { create } from 'zustand'

/**
 * `id` is null until the sheet is first opened, so its code need not be loaded. It stays set while the sheet closes.
 */
export const useOrderSheet = create<{ id: string | null; open: boolean }>(() => ({ id: null, open: false }))

/** Opens an order above the current page: its state, how to pay it, how to cancel it. */
export const showOrder = (id: string): void => useOrderSheet.setState({ id, open: true })

export const closeOrder = (): void => useOrderSheet.setState({ open: false })
