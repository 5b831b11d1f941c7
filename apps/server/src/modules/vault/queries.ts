import { sql } from 'kysely'
import { toHex } from 'viem'
import { addressFromColumn, bytesOf } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import { type AdministrativeEvent, callHashOf } from './administrative-events.ts'
import { type Announcement, type AnnouncementEvent, listAnnouncements } from './list-announcements.ts'

/** An event that is stored already, because blocks are read again, is left as it is. */
export async function storeAdministrativeEvents(
  trx: Database,
  events: readonly AdministrativeEvent[],
  timeOf: (blockNumber: bigint) => Date,
): Promise<void> {
  for (const event of events) {
    const { log, vault, name } = event
    const callHash = callHashOf(event)
    await sql`
      insert into lode.vault_event (tx, log_index, block_number, block_time, vault, name, call_hash, arguments)
      values (${bytesOf(log.tx)}, ${log.logIndex}, ${log.blockNumber}, ${timeOf(log.blockNumber)}, ${bytesOf(vault)},
              ${name}, ${callHash && bytesOf(callHash)}, ${JSON.stringify(event.arguments)}::jsonb)
      on conflict (tx, log_index) do nothing`.execute(trx)
  }
}

/**
 * How many events the list of announcements is made of. A pool needs a few a year. A thief of the administrator's key can
 * make more, one a transaction; then the oldest ones are left out.
 */
const MAX_EVENTS = 2_000

/** All announcements and what became of each, newest first. Empty before the worker has posted a block. */
export async function readAnnouncements(db: Database): Promise<Announcement[]> {
  const { rows } = await sql<{
    name: AnnouncementEvent['name']
    vault: Buffer
    tx: Buffer
    block_time: Date
    call_hash: Buffer | null
    arguments: Record<string, string>
    posted_time: Date
  }>`
    select name, vault_event.vault, tx, block_time, call_hash, arguments, posted_time
    from lode.vault_event cross join lode.chain_state
    where name in ('Announced', 'AnnouncementUsed', 'AnnouncementWithdrawn', 'AllAnnouncementsWithdrawn')
    order by block_number desc, log_index desc limit ${MAX_EVENTS}`.execute(db)
  const [newest] = rows
  if (!newest) return []
  const events = rows.toReversed().map((row) => ({
    name: row.name,
    vault: addressFromColumn(row.vault),
    tx: toHex(row.tx),
    blockTime: row.block_time,
    callHash: row.call_hash && toHex(row.call_hash),
    arguments: row.arguments,
  }))
  return listAnnouncements(events, newest.posted_time)
}
