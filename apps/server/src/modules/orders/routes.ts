import { ok, type Result, refused } from '@lode/kernel'
import { orderTypes } from '@lode/wire'
import type { Hex } from 'viem'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/mount.ts'
import type { Session } from '../../platform/http/session.ts'
import { listTransfers, readTransfer, type TransferReadContext } from '../transfer/index.ts'
import { cancelOrder, submitOrder } from './commands.ts'
import { listOrders, listPayments, type OrderDisplayOptions, readOrder } from './queries.ts'

type OrderRoutesOptions = { db: Database; showing: OrderDisplayOptions; showingTransfers: TransferReadContext }

export function mountOrders(mount: Mount, { db, showing, showingTransfers }: OrderRoutesOptions): void {
  /** A command stores only the order's id as its answer. The response has the order in its present state. */
  async function withOrder<E>(session: Session, result: Result<string, E>) {
    if (!result.ok) return result
    const order = await readOrder(db, session.memberId, result.value, showing)
    if (!order) throw new Error(`order ${result.value} was just changed and cannot be read`)
    return ok(order)
  }

  mount('order/list', async ({ session, input, page }) => {
    const { type, symbol, status } = input
    const filter = { ...page, ...(symbol && { symbol }), ...(status && { status: statusOf[status] }) }
    const list = <T extends 1 | 3>(orderType: T) =>
      listOrders(db, session.memberId, { ...filter, type: orderType }, showing)
    switch (type) {
      case '1':
        return ok({ type: orderTypes.promotion, ...(await list(orderTypes.promotion)) })
      case '2':
        return ok({ type: orderTypes.transferOut, ...(await listTransfers(db, session, filter, showingTransfers)) })
      case '3':
        return ok({ type: orderTypes.pledge, ...(await list(orderTypes.pledge)) })
    }
  })

  mount('order/detail', async ({ session, input }) => {
    const order =
      (await readOrder(db, session.memberId, input.id, showing)) ??
      (await readTransfer(db, session, input.id, showingTransfers))
    return order ? ok(order) : refused('order-unknown')
  })

  mount('order/payments', async ({ session, page }) => ok(await listPayments(db, session.memberId, page, showing)))

  mount('order/submitted', async ({ session, input: { id, tx } }) =>
    withOrder(session, await submitOrder(db, session, { id, tx: tx as Hex })),
  )

  mount('order/cancel', async ({ session, input }) => withOrder(session, await cancelOrder({ db, session }, input)))
}

const statusOf = { '0': 0, '1': 1, '2': 2, '3': 3 } as const
