import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { readPayouts } from '../payout/index.ts'
import { loadTransfers, type PlansAndOperators } from './load-transfers.ts'
import { isOverdue, REVIEW_HOURS } from './rules.ts'

/** Of the waiting transfers, only this many of the oldest are read. Above this number the exact count does not matter. */
const MAX_COUNTED = 1_000

/**
 * Counts the transfers that were requested at least 72 hours ago and are still under review. The number is public: it
 * shows whether a pool lets its members leave.
 */
export async function countOverdue(db: Database, context: PlansAndOperators): Promise<number> {
  const rows = await readPayouts(
    db,
    sql`where number = any (array(
          select number from lode.payout where kind = 'transfer' and ended is null and release_number is null
          order by number limit ${MAX_COUNTED}))
        and requested_at <= lode.now() - make_interval(hours => ${REVIEW_HOURS})`,
  )
  const transfers = await loadTransfers(db, rows, context)
  return Array.from(transfers.values()).filter(isOverdue).length
}
