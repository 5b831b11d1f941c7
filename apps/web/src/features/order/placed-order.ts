import { create } from 'zustand'
import type { WalletRequest } from '../../chain/payment/index.ts'
import type { PayableOrder } from './order.ts'

type PlacedOrder = {
  /** The order that a form on this page placed just now. */
  readonly id: string | null
  /**
   * The wallet requests that the form announced before the member pressed “Order and pay”. The order's sheet begins the
   * payment and sets this to null. Nothing of it is stored, so a reload never opens the wallet by itself.
   */
  readonly announced: readonly WalletRequest[] | null
  /** When the member pressed. */
  readonly pressedAt: number
}

const NONE: PlacedOrder = { id: null, announced: null, pressedAt: 0 }

export const usePlacedOrder = create<PlacedOrder>(() => NONE)

/** Remembers a new order for its sheet. With `announced`, its payment begins without another press. */
export const rememberPlacedOrder = (placed: PlacedOrder): void => usePlacedOrder.setState(placed)

export const clearAnnounced = (): void => usePlacedOrder.setState({ announced: null })

export const forgetPlacedOrder = (): void => usePlacedOrder.setState(NONE)

/** The member still expects the wallet to open this long after the press. */
const EXPECTED_MS = 60_000

type WalletMoment = {
  readonly order: Pick<PayableOrder, 'tx'>
  readonly pressedAt: number
  readonly now: number
  /** Whether the member sees the page. */
  readonly isVisible: boolean
}

/**
 * Whether the press that placed an order may still open the wallet. The pool's answer can come much later than the
 * press, and another device may have paid meanwhile. Then the order waits for another press.
 */
export const mayOpenWallet = ({ order, pressedAt, now, isVisible }: WalletMoment): boolean =>
  order.tx === null && isVisible && now - pressedAt < EXPECTED_MS
