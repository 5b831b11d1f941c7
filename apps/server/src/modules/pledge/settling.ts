import { sql } from 'kysely'
import { bytesOf } from '../../platform/chain/column.ts'
import type { Database } from '../../platform/db/database.ts'
import { lockOpen, type PledgeRow, type Purchase, type SettledPurchase, type SettlePurchases } from '../orders/index.ts'
import { pledgePosting } from './postings.ts'

/**
 * Begins the pledges that the chain has paid. No day closes meanwhile. That lock is taken before the ledger accounts.
 */
export const settlePledges: SettlePurchases<PledgeRow> = async (inside, purchases) => {
  const open = await lockOpen(inside, purchases)
  if (open.length > 0) await keepDaysOpen(inside)
  return open.map((purchase) => settledPledge(inside, purchase))
}

/** Keeps the first day of a pledge from being closed before the pledge is committed. */
export const keepDaysOpen = (inside: Database) => sql`select lode.keep_days_open()`.execute(inside)

/** A paid order for a pledge always succeeds: no other event can prevent it. */
export const settledPledge = (inside: Database, purchase: Purchase<PledgeRow>): SettledPurchase => ({
  orderId: purchase.order.id,
  takes: true,
  entries: [pledgePosting(purchase)],
  mayLack: [],
  finish: async () => {
    const { order, paid } = purchase
    await sql`
      select lode.settle_pledge(${order.id}, ${paid && bytesOf(paid.tx)}, ${paid?.logIndex ?? null}, ${paid?.at ?? null})`.execute(
      inside,
    )
  },
})
