import { formatAmount, units } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { sql } from 'kysely'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'

type Totals = DataOf<'pool/figures'>['totals']

/** One row with the kept totals. Part of a larger statement. */
export const keptTotalsSql = sql`(
  select sum(members) as members, sum(units) as units, sum(power) as power, sum(investment) as investment,
         sum(pledges) as pledges, sum(pledged) as pledged
  from (
    select members, units, power, investment, pledges, pledged from lode.pool_total
    union all select members, units, power, investment, pledges, pledged from lode.pool_change
  ) part) kept`

/**
 * The totals of the whole pool, which are kept in two tables: the sum, and the changes of the last minute, see
 * `add_up_pool_changes.sql`.
 */
export async function readTotals(db: Database, decimals: Decimals): Promise<Totals> {
  const { rows } = await sql<{
    members: string
    units: string
    power: string
    investment: string
    pledges: string
    pledged: string
  }>`
    select * from ${keptTotalsSql}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the totals query returned no row')
  return {
    members: Number(row.members),
    units: Number(row.units),
    power: Number(row.power),
    investment: formatAmount(units('USDT', BigInt(row.investment)), decimals.USDT),
    pledges: Number(row.pledges),
    pledged: formatAmount(units('BTN', BigInt(row.pledged)), decimals.BTN),
  }
}

/** Keeps the number of changes small. The worker does it every minute. */
export async function addUpPoolChanges(db: Database): Promise<void> {
  await sql`select lode.add_up_pool_changes()`.execute(db)
}
