import { type DataOf, orderTypes } from '@lode/wire'
import type { Hex } from 'viem'
import { call, isAnswered, ORDER_READS } from '../../shared/api/index.ts'
import { belongsToSession } from './belongs-to-session.ts'
import { isOrderPayment, orderCall, paidLogFilter } from './contracts.ts'
import type { Intent, OrderPurpose } from './payment.ts'
import { NO_POOL_ANSWER, type PoolAnswer, type PurposeRules } from './purpose-rules.ts'

/** The rules of paying an order with its quote. The vault accepts a quote once, until its deadline. */
export function orderRules(terms: Intent, purpose: OrderPurpose): PurposeRules {
  const intent = { ...terms, purpose }
  const { id } = purpose

  async function fetchOrder(): Promise<PayableOrder | null> {
    if (!belongsToSession(intent)) return null
    const answer = await call('order/detail', { id }, { quiet: true })
    return answer.ok && answer.value.type !== orderTypes.transferOut ? answer.value : null
  }

  return {
    canBePaidOnlyOnce: true,
    changedRoutes: ORDER_READS,
    payCall: (permit) => orderCall(intent, permit),
    isPayment: (transaction) => isOrderPayment(intent, transaction),
    findPayments: (chain, from, to) => chain.transactionsWith(paidLogFilter(intent), from, to),
    async reportSent(hash) {
      if (!belongsToSession(intent)) return false
      return isAnswered(await call('order/submitted', { id, tx: hash }, { quiet: true, keepalive: true }))
    },
    async askPool(hash) {
      const order = await fetchOrder()
      return order ? readPoolAnswer(order, hash) : NO_POOL_ANSWER
    },
  }
}

type PayableOrder = Exclude<DataOf<'order/detail'>, { type: typeof orderTypes.transferOut }>
type OrderOutcome = Pick<PayableOrder, 'state' | 'failure' | 'tx'>

/**
 * What the pool's order says about a transaction. It applies only to the transaction that the order names. While the
 * order waits for payment, that is only what a browser has reported, so the pool has seen nothing.
 */
export function readPoolAnswer({ state, failure, tx }: OrderOutcome, hash: Hex | undefined): PoolAnswer {
  const named = tx?.toLowerCase() as Hex | undefined
  const toBalance = failure === 'level-already-held'
  const credit = state === 'success' || toBalance ? 'credited' : state === 'confirming' ? 'confirming' : 'none'
  return {
    credit: named === hash?.toLowerCase() ? credit : 'none',
    toBalance,
    seen: named && credit !== 'none' ? [named] : [],
    // The order was canceled or expired, and the chain has passed its deadline without a payment.
    lapsed: state === 'failed' && !toBalance,
  }
}
