import type { PaidOrderState } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { usePayments } from '../../chain/payment/index.ts'
import { read } from '../../shared/api/index.ts'
import { invalidateOrderQueries } from './invalidate-order-queries.ts'
import { isPayableOrder } from './order.ts'

/** How often an order is read again, by its state. */
const pollIntervals = {
  paying: 5_000,
  closing: 5_000,
  confirming: 3_000,
  success: false,
  failed: false,
} as const satisfies Record<PaidOrderState, number | false>

/** One order as the pool knows it. It is read again while `followed` is true. */
export function useOrder(id: string, followed: boolean) {
  const query = useQuery({
    ...read('order/detail', { id }),
    meta: { quiet: true },
    staleTime: 0,
    refetchInterval: ({ state }) => followed && isPayableOrder(state.data) && pollIntervals[state.data.state],
  })
  const order = isPayableOrder(query.data) ? query.data : undefined
  const state = order?.state
  // Invalidates all other data that shows this order or its outcome.
  useEffect(() => {
    if (state === 'success' || state === 'failed') invalidateOrderQueries()
  }, [state])
  return { ...query, order }
}

/** The payment of an order that this browser has started. There is at most one. */
export const useOrderPayment = (id: string) =>
  usePayments(({ payments }) =>
    payments.find(({ intent: { purpose } }) => purpose.kind === 'order' && purpose.id === id),
  )

/** When the pool first saw the payment of an order; null while that is not known. */
export function usePaymentSeenAt(id: string, needed: boolean): number | null {
  const { data } = useQuery({ ...read('order/payments', { limit: '20' }), enabled: needed, meta: { quiet: true } })
  const payment = data?.items.find(({ orderId }) => orderId === id)
  return payment ? Date.parse(payment.at) : null
}
