import type { Asset } from '@lode/kernel'
import { create } from 'zustand'

/** The subject of the sheet. `opening` increases with every opening, so that each one starts with an empty form. */
export type About = { readonly opening: number } & (
  | { readonly kind: 'new'; readonly symbol: Asset }
  | { readonly kind: 'payment'; readonly id: string }
)

/**
 * `about` is null until the sheet is first opened, so its code need not be loaded. It stays set while the sheet closes.
 */
export const useDepositSheet = create<{ about: About | null; open: boolean }>(() => ({ about: null, open: false }))

const next = () => (useDepositSheet.getState().about?.opening ?? 0) + 1

/** Opens the sheet for a new deposit of this asset, above the current page. */
export const openDeposit = (symbol: Asset): void =>
  useDepositSheet.setState({ about: { kind: 'new', symbol, opening: next() }, open: true })

/** Opens the sheet with a deposit that is under way or has ended. */
export const openPayment = (id: string): void =>
  useDepositSheet.setState({ about: { kind: 'payment', id, opening: next() }, open: true })

export const closeDeposit = (): void => useDepositSheet.setState({ open: false })
