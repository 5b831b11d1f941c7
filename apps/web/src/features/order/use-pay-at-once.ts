import { useEffect } from 'react'
import { clearAnnounced, usePlacedOrder } from './placed-order.ts'
import type { SheetContent } from './sheet-content.ts'
import type { PayOrderState } from './use-pay-order.ts'

/**
 * Begins the payment that the member confirmed together with the order, once. If the wallet is not ready any more, or
 * the chain cannot be read, nothing begins: the order waits, and the sheet shows why. `isStarting` while it tries;
 * `isPlaced` once the order waits for another press.
 */
export function usePayAtOnce(id: string, { kind }: SheetContent, paying: PayOrderState) {
  const isNew = usePlacedOrder((placed) => placed.id === id)
  const announced = usePlacedOrder((placed) => (placed.id === id ? placed.announced : null))
  const { readiness, surveyed, chain, pay } = paying
  const isReading =
    kind === 'loading' ||
    !chain ||
    readiness.kind === 'looking' ||
    (readiness.kind === 'ready' && surveyed.kind === 'reading')
  const canPay = kind === 'pay' && readiness.kind === 'ready' && surveyed.kind === 'read'
  useEffect(() => {
    if (!announced || isReading) return
    clearAnnounced()
    if (canPay) void pay(announced)
  }, [announced, isReading, canPay, pay])
  const isStarting = announced !== null
  return { isStarting, isPlaced: isNew && !isStarting && !paying.busy }
}
