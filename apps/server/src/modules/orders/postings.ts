import { units } from '@lode/kernel'
import { orderTypes } from '@lode/wire'
import type { Transaction } from '../ledger/index.ts'
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
export const reservePosting = (order: Reserved): Transaction =>
  moved(order, { type: 'orderReserve', key: `order:${order.id}`, from: 'available', to: 'frozenOrder' })

/** And comes back where the order fails. */
export const releasePosting = (order: Reserved): Transaction =>
  moved(order, { type: 'orderRelease', key: `order:${order.id}:release`, from: 'frozenOrder', to: 'available' })

type Step = { readonly type: string; readonly key: string; readonly from: string; readonly to: string }

function moved(order: Reserved, { type, key, from, to }: Step): Transaction {
  const { memberId: member, balancePart } = order
  const { asset } = boughtWith[order.type]
  const of = (kind: string) => ({ kind, member, line: lineOf(order) })
  const moves = [{ asset, amount: units(asset, balancePart), from: of(from), to: of(to) }]
  // That asset, accounts and line fit together the ledger checks as it posts; the compiler cannot follow it by type.
  return { type, member, key, moves } as unknown as Transaction
}
