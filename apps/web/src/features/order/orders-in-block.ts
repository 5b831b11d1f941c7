import { create } from 'zustand'
import type { PayableOrder } from './order.ts'

/**
 * The orders whose payment this browser has seen in a block. The pool may not know it yet. Filled by the code that
 * follows payments, which is loaded later than the pages that show orders.
 */
const useOrdersInBlock = create<{ readonly ids: readonly string[] }>(() => ({ ids: [] }))

export const setOrdersInBlock = (ids: readonly string[]): void => useOrdersInBlock.setState({ ids })

/** The order as this browser knows it: it waits for its confirmation as soon as its payment is in a block. */
export function useNewestOrder(order: PayableOrder): PayableOrder {
  const isInBlock = useOrdersInBlock(({ ids }) => ids.includes(order.id))
  return order.state === 'paying' && isInBlock ? { ...order, state: 'confirming', cancellable: false } : order
}
