import type { Asset } from '@lode/kernel'
import { create } from 'zustand'

/** What the sheet is about. `opening` goes up with every opening, so that each begins with an empty form. */
export type About = { readonly opening: number } & (
  | { readonly kind: 'new'; readonly symbol: Asset }
  | { readonly kind: 'payment'; readonly id: string }
)

/** Null until it is first opened: until then nothing of it needs to be loaded. What it was about stays while it closes. */
export const useDepositSheet = create<{ about: About | null; open: boolean }>(() => ({ about: null, open: false }))

const next = () => (useDepositSheet.getState().about?.opening ?? 0) + 1

/** Opens the sheet to put an asset into the pool, above whatever page is shown. */
export const openDeposit = (symbol: Asset): void =>
  useDepositSheet.setState({ about: { kind: 'new', symbol, opening: next() }, open: true })

/** Opens it on a deposit that is under way, or has ended. */
export const openPayment = (id: string): void =>
  useDepositSheet.setState({ about: { kind: 'payment', id, opening: next() }, open: true })

export const closeDeposit = (): void => useDepositSheet.setState({ open: false })
