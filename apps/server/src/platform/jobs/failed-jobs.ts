import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

type FailedJob = { readonly task: string; readonly at: Date; readonly error: string }

/** The jobs that failed their last try, newest first. They are deleted daily, so there are few. */
export async function readFailedJobs(owner: Database): Promise<FailedJob[]> {
  const { rows } = await sql<{ task: string; at: Date; error: string | null }>`
    select task_identifier as task, updated_at as at, last_error as error
    from graphile_worker.jobs where attempts = max_attempts order by updated_at desc`.execute(owner)
  return rows.map(({ task, at, error }) => ({ task, at, error: error ?? '' }))
}
