import { sql } from 'kysely'
import type { Database } from '../platform/db/database.ts'

/** Ends all stops as the database's owner, without a decision. Returns their reasons, or null if nothing was stopped. */
export async function clearStop(owner: Database): Promise<string | null> {
  const { rows: stops } = await sql<{ reason: string }>`
    with stopped as (select stopped_reason from lode.chain_state where stopped_reason is not null for update)
    update lode.chain_state set stopped_reason = null, stopped_at = null from stopped
    returning stopped.stopped_reason as reason`.execute(owner)
  const { rows: ofAssets } = await sql<{ reasons: string[] }>`select lode.end_asset_stops() as reasons`.execute(owner)
  const reasons = [...stops.map(({ reason }) => reason), ...ofAssets.flatMap(({ reasons }) => reasons)]
  return reasons.length === 0 ? null : reasons.join('; ')
}

/** Sets the posted block back as the database's owner, without a decision. */
export async function setPostedBack(owner: Database, number: bigint): Promise<void> {
  await sql`
    update lode.chain_state set posted_number = ${number}, posted_hash = null where posted_number > ${number}`.execute(
    owner,
  )
}
