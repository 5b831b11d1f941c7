import { orderTypes } from '@lode/wire'
import { amountOf, type Transaction } from '../ledger/index.ts'
import type { OrderRow } from './row.ts'

type Reserved = Pick<OrderRow, 'id' | 'memberId' | 'balancePart' | 'type'>

const boughtWith = {
  [orderTypes.promotion]: { asset: 'USDT', line: 'upLevelByBalance' },
  [orderTypes.pledge]: { asset: 'BTN', line: 'createPledge' },
} as const

/** The line of the log that a part from the balance belongs to, from putting it aside to its end. */
export const lineOf = <T extends OrderRow['type']>({
  id,
  type,
}: {
  readonly id: string
  readonly type: T
}): { readonly type: (typeof boughtWith)[T]['line']; readonly operation: string } => ({
  type: boughtWith[type].line,
  operation: id,
})

/** What is paid from the balance is put aside at once. */
export function reservePosting(order: Reserved): Transaction {
  const { id, memberId: member } = order
  const { available, frozenOrder, ...moved } = sidesOf(order)
  return {
    type: 'orderReserve',
    member,
    key: `order:${id}`,
    moves: [{ ...moved, from: available, to: frozenOrder }],
  }
}

/** And comes back where the order fails. */
export function releasePosting(order: Reserved): Transaction {
  const { id, memberId: member } = order
  const { available, frozenOrder, ...moved } = sidesOf(order)
  return {
    type: 'orderRelease',
    member,
    key: `order:${id}:release`,
    moves: [{ ...moved, from: frozenOrder, to: available }],
  }
}

function sidesOf(order: Reserved) {
  const { memberId: member, balancePart } = order
  const { asset } = boughtWith[order.type]
  const line = lineOf(order)
  return {
    ...amountOf(asset, balancePart),
    available: { kind: 'available', member, line },
    frozenOrder: { kind: 'frozenOrder', member, line },
  } as const
}
