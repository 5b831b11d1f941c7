import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'

type NodeState = { readonly name: string; readonly failure: string | null }

/** What the running worker reports about itself. */
export type WorkerState = {
  readonly seenAt: Date
  /** Why money that comes in is not credited; null if nothing is wrong. */
  readonly trouble: string | null
  /** The last final block that the nodes report; null before the first answer. */
  readonly finalBlock: bigint | null
  readonly nodes: readonly NodeState[]
  readonly failingJobs: readonly string[]
}

/** Returns null if no worker ever ran on this database. */
export async function readWorkerState(db: Database): Promise<WorkerState | null> {
  const { rows } = await sql<{
    seen_at: Date
    trouble: string | null
    final_block: bigint | null
    nodes: NodeState[]
    failing_jobs: string[]
  }>`select seen_at, trouble, final_block, nodes, failing_jobs from lode.worker_state`.execute(db)
  const [row] = rows
  return row
    ? {
        seenAt: row.seen_at,
        trouble: row.trouble,
        finalBlock: row.final_block,
        nodes: row.nodes,
        failingJobs: row.failing_jobs,
      }
    : null
}

/** Called by the worker only. */
export async function writeWorkerState(
  db: Database,
  { trouble, finalBlock, nodes, failingJobs }: Omit<WorkerState, 'seenAt'>,
): Promise<void> {
  await sql`
    insert into lode.worker_state (seen_at, trouble, final_block, nodes, failing_jobs)
    values (lode.now(), ${trouble?.slice(0, 2000) ?? null}, ${finalBlock}, ${JSON.stringify(nodes)}::jsonb, ${failingJobs})
    on conflict (only_row) do update
    set seen_at = excluded.seen_at, trouble = excluded.trouble, final_block = excluded.final_block,
        nodes = excluded.nodes, failing_jobs = excluded.failing_jobs`.execute(db)
}

/** The worker reports every five seconds. */
const WORKER_AWAY_AFTER_MS = 60_000

export const isWorkerAway = (seenAt: Date | null, now: Date): boolean =>
  seenAt === null || now.getTime() - seenAt.getTime() > WORKER_AWAY_AFTER_MS

export type StoredStop = { readonly asset: string | null; readonly reason: string; readonly since: Date }

/** The stop of the watcher (`asset` null) and of single assets, which only operators end. */
export async function readStops(db: Database): Promise<StoredStop[]> {
  const { rows } = await sql<StoredStop>`
    select null as asset, stopped_reason as reason, stopped_at as since
    from lode.chain_state where stopped_reason is not null
    union all select asset, reason, stopped_at from lode.asset_stop order by asset nulls first`.execute(db)
  return rows
}
