import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'

/** Removes the last release and its payouts' reference to it, as if the commit had been lost in a failover. */
export const forgetLastRelease = (db: Database): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    const last = sql`(select max(number) from lode.release)`
    await sql`update lode.payout set release_number = null where release_number = ${last}`.execute(trx)
    await sql`delete from lode.release_form where release_number = ${last}`.execute(trx)
    await sql`delete from lode.release where number = ${last}`.execute(trx)
  })
