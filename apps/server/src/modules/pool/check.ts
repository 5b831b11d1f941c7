import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { codeOf } from '../ledger/index.ts'
import { keptTotalsSql } from './totals.ts'

/** Counts everything, and compares it with the totals that are kept. */
export async function poolFindings(db: Database): Promise<string[]> {
  const { rows } = await sql<{ differ: boolean }>`
    select kept is distinct from counted as differ
    from ${keptTotalsSql}, (
      select (select count(*)::numeric from lode.member) as members, sold.*, locked.*
      from (
        select count(*)::numeric as units, coalesce(sum(power), 0)::numeric as power, coalesce(sum(to_mining), 0) as investment
        from lode.pay_order where type = ${sql.lit(codeOf('order.promotion'))} and ended = 'success'
      ) sold, (
        select count(*)::numeric as pledges, coalesce(sum(amount), 0) as pledged from lode.pledge where returned_at is null
      ) locked
    ) counted`.execute(db)
  return rows[0]?.differ === false ? [] : ['the kept totals differ from the members, promotions and pledges']
}
