import { units } from '@lode/kernel'
import type { Transaction } from '../ledger/index.ts'
import type { OrderRow } from './row.ts'

type Reserved = Pick<OrderRow, 'id' | 'memberId' | 'balancePart'>

/** The line of the log that a part from the balance belongs to, from putting it aside to its end. */
export const promotionLine = (id: string) => ({ type: 'upLevelByBalance', operation: id }) as const

/** What is paid from the balance is put aside at once. */
export const reservePosting = ({ id, memberId: member, balancePart }: Reserved): Transaction => ({
  ...{ type: 'orderReserve', member, key: `order:${id}` },
  moves: [
    {
      ...{ asset: 'USDT', amount: units('USDT', balancePart) },
      from: { kind: 'available', member, line: promotionLine(id) },
      to: { kind: 'frozenOrder', member, line: promotionLine(id) },
    },
  ],
})

/** And comes back where the order fails. */
export const releasePosting = ({ id, memberId: member, balancePart }: Reserved): Transaction => ({
  ...{ type: 'orderRelease', member, key: `order:${id}:release` },
  moves: [
    {
      ...{ asset: 'USDT', amount: units('USDT', balancePart) },
      from: { kind: 'frozenOrder', member, line: promotionLine(id) },
      to: { kind: 'available', member, line: promotionLine(id) },
    },
  ],
})
