import { sql } from 'kysely'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Purchase } from './settlement.ts'

/** Ends the orders of these purchases with a function of the database, one after the other in this sequence. */
export async function endOrders(
  trx: Database,
  by: 'settle_promotion' | 'settle_pledge' | 'fail_order',
  purchases: readonly Purchase[],
): Promise<void> {
  if (purchases.length === 0) return
  const payments = purchases.map(({ paid }) => paid)
  await sql`
    select ${sql.id('lode', by)}(id, tx, log_index, at)
    from (
      select * from unnest(
        ${purchases.map(({ order }) => order.id)}::uuid[],
        ${payments.map((paid) => paid && bytesOf(paid.tx))}::bytea[],
        ${payments.map((paid) => paid?.logIndex ?? null)}::int[],
        ${payments.map((paid) => paid?.at ?? null)}::timestamptz[]
      ) with ordinality as given (id, tx, log_index, at, place)
      order by place
    ) in_sequence`.execute(trx)
}
