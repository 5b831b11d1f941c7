import { type DataOf, orderTypes } from '@lode/wire'
import type { Hex } from 'viem'
import { call, ORDER_READS } from '../../shared/api/index.ts'
import { isOrderPaid, orderCall, paidLog } from './contracts.ts'
import type { Intent, OrderPurpose } from './payment.ts'
import type { Credit, PurposeRules } from './purpose-rules.ts'
import { speaksFor } from './speaks-for.ts'

/** A payment of an order, by the quote. The vault accepts a quote once and until its deadline. */
export function order(terms: Intent, purpose: OrderPurpose): PurposeRules {
  const intent = { ...terms, purpose }
  const { id } = purpose

  async function ask(): Promise<PaidOrder | null> {
    if (!speaksFor(intent)) return null
    const answer = await call('order/detail', { id }, { quiet: true })
    return answer.ok && answer.value.type !== orderTypes.transferOut ? answer.value : null
  }

  return {
    paidOnce: true,
    shownIn: ORDER_READS,
    payCall: (permit) => orderCall(intent, permit),
    isPayment: (transaction) => isOrderPaid(intent, transaction),
    findPaid: (chain, from, to) => chain.transactionsWith(paidLog(intent), from, to),
    tellSent(hash) {
      if (speaksFor(intent)) void call('order/submitted', { id, tx: hash }, { quiet: true })
    },
    async creditOf(hash) {
      const known = await ask()
      return known ? creditOf(known, hash) : 'no-answer'
    },
    async isLapsed() {
      const known = await ask()
      return known !== null && hasLapsed(known)
    },
  }
}

type PaidOrder = Exclude<DataOf<'order/detail'>, { type: typeof orderTypes.transferOut }>
type Known = Pick<PaidOrder, 'state' | 'failure' | 'tx'>

/**
 * The pool's answer about an order applies to the transaction that the answer names. If the member already held the
 * level, the payment was credited to the balance.
 */
export function creditOf({ state, failure, tx }: Known, hash: Hex): Credit {
  if (tx?.toLowerCase() !== hash.toLowerCase()) return 'none'
  if (state === 'success' || failure === 'level-already-held') return 'credited'
  return state === 'confirming' ? 'confirming' : 'none'
}

/** The order was canceled or expired, and the chain has passed its deadline without a payment. */
export const hasLapsed = ({ state, failure }: Known): boolean => state === 'failed' && failure !== 'level-already-held'
