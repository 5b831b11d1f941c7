import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export type Watched = {
  /** The longest that a database transaction of this role ran, and the longest that anybody waited for a lock, in seconds. */
  readonly longest: number
  readonly longestWait: number
  /** The part of the time in which the role's statements waited for a lock, 0 to 1. */
  readonly waiting: number
}

const EVERY_MS = 20

/** Looks every 20 ms how long this role's database transactions have run, and who waits for a lock. */
export function watchLocks(databaseUrl: string, role: 'lode_api' | 'lode_worker') {
  const found = { longest: 0, longestWait: 0, active: 0, blocked: 0 }
  let ended = false
  const watching = (async () => {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    while (!ended) {
      const { rows } = await client.query<{ longest: number; wait: number; active: number; blocked: number }>(
        `select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 as longest,
                count(*) filter (where state = 'active')::int as active,
                count(*) filter (where wait_event_type = 'Lock')::int as blocked,
                coalesce((select max(extract(epoch from clock_timestamp() - waitstart)) from pg_locks), 0)::float8 as wait
         from pg_stat_activity where usename = $1 and datname = current_database()`,
        [role],
      )
      const [row] = rows
      if (row) {
        found.longest = Math.max(found.longest, row.longest)
        found.longestWait = Math.max(found.longestWait, row.wait)
        found.active += row.active
        found.blocked += row.blocked
      }
      await sleep(EVERY_MS)
    }
    await client.end()
  })()
  return {
    async end(): Promise<Watched> {
      ended = true
      await watching
      const { longest, longestWait, active, blocked } = found
      return { longest, longestWait, waiting: active === 0 ? 0 : blocked / active }
    },
  }
}
