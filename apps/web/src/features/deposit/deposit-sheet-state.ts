import type { Asset } from '@lode/kernel'
import { create } from 'zustand'

/** The subject of the sheet. `opening` increases with every opening, so that each one starts with an empty form. */
export type DepositSheetSubject = { readonly opening: number } & (
  | { readonly kind: 'new'; readonly symbol: Asset }
  | { readonly kind: 'payment'; readonly id: string }
)

/**
 * `subject` is null until the sheet is first opened; until then the code of the sheet is not loaded. It stays set while
 * the sheet closes.
 */
export const useDepositSheet = create<{ subject: DepositSheetSubject | null; open: boolean }>(() => ({
  subject: null,
  open: false,
}))

const nextOpening = () => (useDepositSheet.getState().subject?.opening ?? 0) + 1

/** Opens the sheet for a new deposit of this asset, above the current page. */
export const openDeposit = (symbol: Asset): void =>
  useDepositSheet.setState({ subject: { kind: 'new', symbol, opening: nextOpening() }, open: true })

/** Opens the sheet with a deposit that is under way or has ended. */
export const openPayment = (id: string): void =>
  useDepositSheet.setState({ subject: { kind: 'payment', id, opening: nextOpening() }, open: true })

export const closeDeposit = (): void => useDepositSheet.setState({ open: false })
