import { orderTypes } from '@lode/wire'
import { amountOf, type Transaction } from '../ledger/index.ts'
import type { OrderRow } from './order-row.ts'

type OrderToFreeze = Pick<OrderRow, 'id' | 'memberId' | 'balancePart' | 'type'>

const assetAndLineOf = {
  [orderTypes.promotion]: { asset: 'USDT', line: 'upLevelByBalance' },
  [orderTypes.pledge]: { asset: 'BTN', line: 'createPledge' },
} as const

/** The log line of the part from the balance. The same line is used from the freeze to the end of the order. */
export const orderLogLine = <T extends OrderRow['type']>({
  id,
  type,
}: {
  readonly id: string
  readonly type: T
}): { readonly type: (typeof assetAndLineOf)[T]['line']; readonly operation: string } => ({
  type: assetAndLineOf[type].line,
  operation: id,
})

/** The ledger transaction that freezes the part that is paid from the balance. */
export function freezePosting(order: OrderToFreeze): Transaction {
  const { id, memberId: member } = order
  const { available, frozenOrder, ...moved } = amountAndAccounts(order)
  return {
    type: 'orderReserve',
    member,
    key: `order:${id}`,
    moves: [{ ...moved, from: available, to: frozenOrder }],
  }
}

/** The ledger transaction that unfreezes that part if the order fails. */
export function unfreezePosting(order: OrderToFreeze): Transaction {
  const { id, memberId: member } = order
  const { available, frozenOrder, ...moved } = amountAndAccounts(order)
  return {
    type: 'orderRelease',
    member,
    key: `order:${id}:release`,
    moves: [{ ...moved, from: frozenOrder, to: available }],
  }
}

function amountAndAccounts(order: OrderToFreeze) {
  const { memberId: member, balancePart } = order
  const { asset } = assetAndLineOf[order.type]
  const line = orderLogLine(order)
  return {
    ...amountOf(asset, balancePart),
    available: { kind: 'available', member, line },
    frozenOrder: { kind: 'frozenOrder', member, line },
  } as const
}
