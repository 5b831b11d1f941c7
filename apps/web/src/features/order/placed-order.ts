import { create } from 'zustand'
import type { WalletRequest } from '../../chain/payment/index.ts'

type PlacedOrder = {
  /** The order that a form on this page placed just now. */
  readonly id: string | null
  /**
   * The wallet requests that the form announced before the member pressed “Order and pay”. The order's sheet begins the
   * payment and sets this to null. Nothing of it is stored, so a reload never opens the wallet by itself.
   */
  readonly announced: readonly WalletRequest[] | null
}

export const usePlacedOrder = create<PlacedOrder>(() => ({ id: null, announced: null }))

/** Remembers a new order for its sheet. With `announced`, its payment begins without another press. */
export const rememberPlacedOrder = (placed: PlacedOrder): void => usePlacedOrder.setState(placed)

export const clearAnnounced = (): void => usePlacedOrder.setState({ announced: null })

export const forgetPlacedOrder = (): void => usePlacedOrder.setState({ id: null, announced: null })
