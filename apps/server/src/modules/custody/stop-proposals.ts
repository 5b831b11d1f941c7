import { createHash } from 'node:crypto'
import { type Asset, ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { type Proposal, SIGNATURES_NEEDED } from '../operators/index.ts'

/**
 * The proposals after the watcher stopped. A proposal that could not be carried out is refused, with the reason as text.
 * The database checks again when the worker carries the decision out.
 */

const WEEK_HOURS = 7 * 24

type Stop = { readonly stoppedAt: Date; readonly reason: string }

/**
 * Proposes to end the present stop of the watcher, or of one asset, and no later stop. Returns the stop too, so that
 * operators can read its reason.
 */
export async function proposeEndOfStop(
  db: Database,
  note: string | undefined,
  asset?: Asset,
): Promise<Result<{ proposal: Proposal<'end-stop'>; stop: Stop }, string>> {
  const stop = asset === undefined ? await readWatcherStop(db) : await readAssetStop(db, asset)
  if (!stop) return refused(`${asset ?? 'The worker'} is not stopped.`)
  const terms = {
    stoppedAt: stop.stoppedAt.toISOString(),
    reason: createHash('sha256').update(stop.reason, 'utf8').digest('hex'),
    ...(note === undefined ? {} : { note }),
  }
  return ok({
    stop,
    proposal: {
      verb: 'end-stop',
      subject: `stop:${asset ?? 'chain'}`,
      terms,
      needed: SIGNATURES_NEEDED,
      validHours: WEEK_HOURS,
    },
  })
}

async function readWatcherStop(db: Database): Promise<Stop | null> {
  const { rows } = await sql<Stop>`
    select date_trunc('milliseconds', stopped_at) as "stoppedAt", stopped_reason as reason
    from lode.chain_state where stopped_reason is not null`.execute(db)
  return rows[0] ?? null
}

async function readAssetStop(db: Database, asset: Asset): Promise<Stop | null> {
  const { rows } = await sql<Stop>`
    select date_trunc('milliseconds', stopped_at) as "stoppedAt", reason
    from lode.asset_stop where asset = ${asset}`.execute(db)
  return rows[0] ?? null
}

/** Proposes to read the chain again after this block. */
export async function proposeRewind(
  db: Database,
  block: bigint,
  note: string | undefined,
): Promise<Result<Proposal<'rewind'>, string>> {
  const { rows } = await sql`select from lode.chain_state where posted_number > ${block}`.execute(db)
  if (rows.length === 0) return refused(`Nothing after block ${block} is posted.`)
  return ok({
    verb: 'rewind',
    subject: 'chain:posted',
    terms: { block: String(block), ...(note === undefined ? {} : { note }) },
    needed: SIGNATURES_NEEDED,
    validHours: WEEK_HOURS,
  })
}
