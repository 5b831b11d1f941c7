import { useEffect } from 'react'
import { clearAnnounced, mayOpenWallet, usePlacedOrder } from './placed-order.ts'
import type { SheetContent } from './sheet-content.ts'
import type { PayOrderState } from './use-pay-order.ts'

/**
 * Begins the payment that the member confirmed together with the order, once. If the wallet is not ready any more, or
 * the chain cannot be read, nothing begins: the order waits, and the sheet shows why. Nothing begins either if the
 * press is too old (see `mayOpenWallet`). `isStarting` while it tries; `isPlaced` once the order waits for another
 * press.
 */
export function usePayAtOnce(id: string, content: SheetContent, paying: PayOrderState) {
  const isNew = usePlacedOrder((placed) => placed.id === id)
  const announced = usePlacedOrder((placed) => (placed.id === id ? placed.announced : null))
  const { readiness, surveyed, chain, pay } = paying
  const isReading =
    content.kind === 'loading' ||
    !chain ||
    readiness.kind === 'looking' ||
    (readiness.kind === 'ready' && surveyed.kind === 'reading')
  const order =
    content.kind === 'pay' && readiness.kind === 'ready' && surveyed.kind === 'read' ? content.order : undefined
  useEffect(() => {
    if (!announced || isReading) return
    clearAnnounced()
    const { pressedAt } = usePlacedOrder.getState()
    const isVisible = document.visibilityState === 'visible'
    if (order && mayOpenWallet({ order, pressedAt, now: Date.now(), isVisible })) void pay(announced)
  }, [announced, isReading, order, pay])
  const isStarting = announced !== null
  return { isStarting, isPlaced: isNew && !isStarting && !paying.busy }
}
