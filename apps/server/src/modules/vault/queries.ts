import { type RawBuilder, sql } from 'kysely'
import { type Address, type Hex, toHex } from 'viem'
import { addressFromColumn, bytesOf } from '../../platform/chain/hex-column.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { type AdministrativeEvent, callHashOf } from './administrative-events.ts'
import { announcedSelectors, hasEffect, readAnnouncedCall } from './announced-call.ts'
import { type Announcement, type EndingEvent, judgeAnnouncement } from './announcement.ts'

/** The blocks whose events are stored now. */
type StoredBlocks = {
  /** All earlier blocks, too, if these are the first blocks that can have events of the pool. */
  readonly first: bigint
  readonly last: bigint
  /** The last block that was ever posted. No event can be in a later block than this one and `last`. */
  readonly highestPosted: bigint
}

/**
 * Stores the events of these blocks, and removes all others that the database has of them. If blocks are read again after
 * a rewind, false events disappear and changed ones are corrected.
 */
export async function storeAdministrativeEvents(
  trx: Database,
  { first, last, highestPosted }: StoredBlocks,
  events: readonly AdministrativeEvent[],
  timeOf: (blockNumber: bigint) => Date,
): Promise<void> {
  const transactions = events.map(({ log }) => bytesOf(log.tx))
  await sql`
    delete from lode.vault_event
    where block_number between ${first} and ${last}
      or block_number > greatest(${last}, ${highestPosted}::bigint)
      or tx = any (${transactions}::bytea[])`.execute(trx)
  for (const event of events) {
    const { log, vault, name } = event
    const callHash = callHashOf(event)
    await sql`
      insert into lode.vault_event (tx, log_index, block_number, block_time, vault, name, call_hash, arguments)
      values (${bytesOf(log.tx)}, ${log.logIndex}, ${log.blockNumber}, ${timeOf(log.blockNumber)}, ${bytesOf(vault)},
              ${name}, ${callHash && bytesOf(callHash)}, ${JSON.stringify(event.arguments)}::jsonb)`.execute(trx)
  }
}

/** The most announcements that are listed of those that have ended, and of those that have no effect. */
const MAX_LISTED = 100

/** Whether the call of the announcement `event` may have an effect. */
const mayHaveEffect = sql`left(event.arguments ->> 'call', 10) = any (${announcedSelectors}::text[])`

/**
 * The open announcements. The newest event about a call must be its announcement: announcing it again replaces it. An
 * announcement is valid for nine days at most (`NOTICE` and `NOTICE_LIFE` of the contract), so older events are left out.
 * The time grows with the number of events of nine days, and not faster: 100,000 about one call take about 0.1 s.
 */
const openAnnouncements = sql`
  select event.*, newest.posted_time, ${mayHaveEffect} as may_have_effect
  from (
    select posted_time, vault_event.vault, max(array[block_number, log_index]) as place
    from lode.vault_event cross join lode.chain_state
    where call_hash is not null and block_time >= posted_time - interval '9 days'
    group by posted_time, vault_event.vault, call_hash
  ) newest
    join lode.vault_event event on event.block_number = place[1] and event.log_index = place[2]
    left join (
      select vault, max(block_time) as at from lode.vault_event where name = 'AllAnnouncementsWithdrawn' group by vault
    ) withdrawn on withdrawn.vault = event.vault
  where event.name = 'Announced' and posted_time <= to_timestamp((event.arguments ->> 'notAfter')::float8)
    and event.block_time > coalesce(withdrawn.at, '-infinity')`

/** Announcements that have ended, those announced last first, with the event that ended each unless it has expired. */
const endedAnnouncements = (condition: RawBuilder<unknown>) => sql<AnnouncementRow>`
  select event.*, posted_time, ending.name as ending_name, ending.block_time as ending_time
  from lode.vault_event event cross join lode.chain_state left join lateral (
    (select name, block_time, block_number, log_index from lode.vault_event later
     where later.vault = event.vault and later.call_hash = event.call_hash
       and (later.block_number, later.log_index) > (event.block_number, event.log_index)
     order by block_number, log_index limit 1)
    union all
    (select name, block_time, block_number, log_index from lode.vault_event later
     where name = 'AllAnnouncementsWithdrawn' and later.vault = event.vault and later.block_time >= event.block_time
     order by block_time, block_number, log_index limit 1)
    order by block_number, log_index limit 1
  ) ending on true
  where event.name = 'Announced' and ${condition}
    and (ending.name is not null or posted_time > to_timestamp((event.arguments ->> 'notAfter')::float8))
  order by event.block_number desc, event.log_index desc limit ${MAX_LISTED}`

type AnnouncementRow = {
  vault: Buffer
  tx: Buffer
  block_time: Date
  call_hash: Buffer
  arguments: Readonly<Record<string, string>>
  posted_time: Date
  ending_name: EndingEvent['name'] | null
  ending_time: Date | null
}

type OpenAnnouncements = {
  /**
   * First all that have an effect, then the newest hundred of the others; in each part the one that can happen first is
   * at the top. The administrator can announce thousands of calls without effect, to hide one that has one.
   */
  readonly listed: readonly Announcement[]
  /** With those that are not listed. */
  readonly count: number
  /** The same for one vault. */
  readonly countOf: (vault: Address) => number
}

/** None before the worker has posted a block. With a hash: only the announcements of this call. */
export async function readOpenAnnouncements(
  db: Database,
  pool: PoolContracts,
  callHash: Hex | null = null,
): Promise<OpenAnnouncements> {
  const hash = callHash && bytesOf(callHash)
  const { rows } = await sql<AnnouncementRow & { in_vault: bigint }>`
    select *, null as ending_name, null as ending_time
    from (
      select *, count(*) over (partition by vault) as in_vault,
             row_number() over (partition by vault, may_have_effect order by block_number desc, log_index desc) as place
      from (${openAnnouncements}) open
      where ${hash}::bytea is null or call_hash = ${hash}
    ) numbered
    where may_have_effect or place <= ${MAX_LISTED}
    order by block_number, log_index`.execute(db)
  const announcements = rows.map((row) => announcementFrom(row, pool))
  const withoutEffect = announcements.filter(({ call }) => !hasEffect(call))
  // Each vault in which something is open has a row.
  const counts = new Map(rows.map((row) => [addressFromColumn(row.vault), Number(row.in_vault)]))
  return {
    listed: [...announcements.filter(({ call }) => hasEffect(call)), ...withoutEffect.slice(-MAX_LISTED)],
    count: Array.from(counts.values()).reduce((sum, inVault) => sum + inVault, 0),
    countOf: (vault) => counts.get(vault) ?? 0,
  }
}

export async function countOpenAnnouncements(db: Database): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`select count(*) from (${openAnnouncements}) open`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** A hundred at most: first those that had an effect, then the others; in each part the one that ended last first. */
export async function readEndedAnnouncements(db: Database, pool: PoolContracts): Promise<Announcement[]> {
  const { rows } = await endedAnnouncements(mayHaveEffect).execute(db)
  const { rows: others } = await endedAnnouncements(sql`not ${mayHaveEffect}`).execute(db)
  const endTime = ({ endedAt }: Announcement): number => endedAt?.getTime() ?? 0
  const announcements = [...rows, ...others]
    .map((row) => announcementFrom(row, pool))
    .toSorted((one, other) => endTime(other) - endTime(one))
  const withEffect = announcements.filter(({ call }) => hasEffect(call))
  return [...withEffect, ...announcements.filter(({ call }) => !hasEffect(call))].slice(0, MAX_LISTED)
}

function announcementFrom(row: AnnouncementRow, pool: PoolContracts): Announcement {
  const { call = '0x', notBefore, notAfter } = row.arguments
  const validUntil = fromChainTime(notAfter)
  const ending = row.ending_name && row.ending_time && { name: row.ending_name, blockTime: row.ending_time }
  return {
    vault: addressFromColumn(row.vault),
    tx: toHex(row.tx),
    callHash: toHex(row.call_hash),
    call: readAnnouncedCall(call as Hex, pool),
    announcedAt: row.block_time,
    notBefore: fromChainTime(notBefore),
    notAfter: validUntil,
    ...judgeAnnouncement(validUntil, ending, row.posted_time),
  }
}

const fromChainTime = (seconds = '0'): Date => new Date(Number(seconds) * 1_000)
