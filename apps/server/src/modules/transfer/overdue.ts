import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { readPayouts } from '../payout/index.ts'
import { type Judging, readKnown } from './known.ts'
import { isOverdue, REVIEW_HOURS } from './rules.ts'

/** At most this many old transfers are read. With so many, the exact count does not matter. */
const MOST_COUNTED = 1_000

/**
 * How many transfers have waited more than 72 hours for a decision by operators, and for nothing that ends by itself.
 * The number is public: it shows whether a pool lets its members leave.
 */
export async function countOverdue(db: Database, judging: Judging): Promise<number> {
  const rows = await readPayouts(
    db,
    sql`where kind = 'transfer' and ended is null and release_number is null
          and requested_at <= lode.now() - make_interval(hours => ${REVIEW_HOURS})
        order by number limit ${MOST_COUNTED}`,
  )
  const known = await readKnown(db, rows, judging)
  return Array.from(known.values()).filter(isOverdue).length
}
