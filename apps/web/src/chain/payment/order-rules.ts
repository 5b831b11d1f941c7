import { type DataOf, orderTypes } from '@lode/wire'
import type { Hex } from 'viem'
import { call, ORDER_READS } from '../../shared/api/index.ts'
import { belongsToSession } from './belongs-to-session.ts'
import { isOrderPayment, orderCall, paidLogFilter } from './contracts.ts'
import type { Intent, OrderPurpose } from './payment.ts'
import type { Credit, PurposeRules } from './purpose-rules.ts'

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
    reportSent(hash) {
      if (belongsToSession(intent)) void call('order/submitted', { id, tx: hash }, { quiet: true })
    },
    async creditOf(hash) {
      const order = await fetchOrder()
      return order ? creditOf(order, hash) : 'no-answer'
    },
    async isLapsed() {
      const order = await fetchOrder()
      return order !== null && hasLapsed(order)
    },
  }
}

type PayableOrder = Exclude<DataOf<'order/detail'>, { type: typeof orderTypes.transferOut }>
type OrderOutcome = Pick<PayableOrder, 'state' | 'failure' | 'tx'>

/**
 * The pool's answer applies only to the transaction that it names. If the member already held the level, the pool
 * credited the payment to the balance.
 */
export function creditOf({ state, failure, tx }: OrderOutcome, hash: Hex): Credit {
  if (tx?.toLowerCase() !== hash.toLowerCase()) return 'none'
  if (state === 'success' || failure === 'level-already-held') return 'credited'
  return state === 'confirming' ? 'confirming' : 'none'
}

/** The order was canceled or expired, and the chain has passed its deadline without a payment. */
export const hasLapsed = ({ state, failure }: OrderOutcome): boolean =>
  state === 'failed' && failure !== 'level-already-held'
