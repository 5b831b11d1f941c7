import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import {
  endOrders,
  lockOpenPurchases,
  type PledgeRow,
  type Purchase,
  type SettledPurchases,
  type SettlePurchases,
} from '../orders/index.ts'
import { pledgePosting } from './postings.ts'

/**
 * Begins the pledges whose online payment is final. keepDaysOpen() keeps days from closing meanwhile. It takes its lock
 * before the ledger accounts are locked.
 */
export const settlePledges: SettlePurchases<PledgeRow> = async (trx, purchases) => {
  const open = await lockOpenPurchases(trx, purchases)
  if (open.length > 0) await keepDaysOpen(trx)
  return settleOpenPledges(trx, open)
}

/** Keeps the first day of a pledge from being closed before the pledge is committed. */
export const keepDaysOpen = (trx: Database) => sql`select lode.keep_days_open()`.execute(trx)

/** A paid pledge order always succeeds. A promotion can fail, because its level may be bought meanwhile. */
export const settleOpenPledges = (trx: Database, open: readonly Purchase<PledgeRow>[]): SettledPurchases => ({
  purchases: open.map((purchase) => ({
    orderId: purchase.order.id,
    includesPayment: true,
    entries: [pledgePosting(purchase)],
    optionalEntries: [],
  })),
  finish: () => endOrders(trx, 'settle_pledge', open),
})
