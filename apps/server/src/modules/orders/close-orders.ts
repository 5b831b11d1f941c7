import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { post } from '../ledger/index.ts'
import { readOrders } from './order-row.ts'
import { unfreezePosting } from './postings.ts'

const BATCH = 200

/**
 * Ends orders that can no longer be paid: a block after their deadline is posted, and no posted block has a payment for
 * them. The frozen amount is unfrozen in the same transaction. One call ends at most 200 orders, so that posting of new
 * blocks does not wait long. An order that fails to close does not block the others. Returns how many were closed.
 */
export async function closeOrders(db: Database, log: Logger): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from lode.pay_order
    where ended is null and deadline < (select posted_time from lode.chain_state)
    order by deadline limit ${BATCH}`.execute(db)
  let closed = 0
  for (const { id } of rows)
    try {
      if (await closeOrder(db, id)) closed += 1
    } catch (error) {
      log.error({ order: id, err: error }, 'ALARM: an order cannot be closed')
    }
  return closed
}

/** False if the order has ended in the meantime, if the posted block was set back, or if the watcher is stopped. */
const closeOrder = (db: Database, id: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ closed: boolean }>`select lode.close_order(${id}) as closed`.execute(trx)
    if (!rows[0]?.closed) return false
    const [order] = await readOrders(trx, sql`where pay_order.id = ${id}`)
    if (!order) throw new Error(`order ${id} was just closed and cannot be read`)
    faultPoint('worker:before-close-order')
    if (order.balancePart > 0n) {
      const [outcome] = await post(trx, [unfreezePosting(order)])
      if (outcome?.outcome !== 'posted') throw new Error(`order ${id} is not what is frozen: ${outcome?.outcome}`)
    }
    faultPoint('worker:after-close-order')
    return true
  })
