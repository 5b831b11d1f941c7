import { setTimeout as sleep } from 'node:timers/promises'
import { parseCrontab } from 'graphile-worker'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { waitUntil } from '../../testing/pool.ts'
import { connectDatabase, type DatabaseConnection } from '../db/database.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics.ts'
import { buildCrontab, MAX_TRIES, type RunningJobs, runJobs } from './runner.ts'

type Row = {
  task: string
  attempts: number
  max_attempts: number
  last_error: string | null
  waitSeconds: number
  key: string | null
}

let database: TestDatabase
let owner: DatabaseConnection
beforeAll(async () => {
  database = await createTestDatabase()
  owner = connectDatabase(database.ownerUrl, { name: 'jobs test', max: 2 })
})
afterAll(async () => {
  await owner.close()
  await database.drop()
})

let jobs: RunningJobs
let start: () => Promise<RunningJobs>
let metrics: Metrics
let logLines: string[]
/** How often each task still throws. */
let failures: Record<string, number>
let ran: string[]
/** Runs once, inside the next task. */
let duringNext: (() => Promise<void>) | null
const alarms = (): string[] => logLines.filter((line) => line.includes('ALARM'))

beforeEach(async () => {
  ;[logLines, failures, ran, duringNext] = [[], {}, [], null]
  metrics = createMetrics('worker', owner.pool)
  const task =
    (name: string) =>
    async (...given: unknown[]) => {
      expect(given).toEqual([])
      const now = duringNext
      duringNext = null
      await now?.()
      const left = failures[name] ?? 0
      failures[name] = left - 1
      if (left > 0) throw new Error('the database was too busy')
      ran.push(name)
    }
  start = () =>
    runJobs({
      databaseUrl: database.urlOf('lode_worker'),
      tasks: { one: task('one'), other: task('other') },
      schedule: {},
      metrics,
      log: pino({ level: 'warn' }, { write: (line: string) => void logLines.push(line) }),
    })
  jobs = await start()
})
afterEach(async () => {
  await jobs.stop()
  await sql`delete from graphile_worker._private_jobs`.execute(owner.db)
})

async function readQueue(): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select identifier as task, attempts, max_attempts, last_error, key,
           extract(epoch from run_at - now())::float8 as "waitSeconds"
    from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id
    where locked_at is null order by job.id`.execute(owner.db)
  return rows
}

const countJobs = async (): Promise<number> =>
  (await sql`select from graphile_worker._private_jobs`.execute(owner.db)).rows.length

/** Makes a job that waits for its next try due at once. */
const makeRetryDue = () =>
  sql`with due as (update graphile_worker._private_jobs set run_at = now() where attempts < max_attempts)
      select pg_notify('jobs:insert', '{"count":1}')`.execute(owner.db)

const readFailureCount = async (task: string): Promise<number | undefined> =>
  (await metrics.jobFailures.get()).values.find(({ labels }) => labels.task === task)?.value
const readFailingGauge = async (task: string): Promise<number | undefined> =>
  (await metrics.jobFailing.get()).values.find(({ labels }) => labels.task === task)?.value

describe('a job that fails', () => {
  it('twice is retried after 2.7 and 7.4 seconds, and succeeds at the third try', async () => {
    failures = { one: 2 }
    expect(await readFailureCount('one')).toBe(0)
    await jobs.addJob('one', {}, { maxAttempts: MAX_TRIES })
    for (const [attempts, seconds] of [
      [1, Math.exp(1)],
      [2, Math.exp(2)],
    ] as const) {
      await waitUntil(async () =>
        expect(await readQueue()).toMatchObject([{ attempts, last_error: 'the database was too busy' }]),
      )
      const [job] = await readQueue()
      expect(job?.waitSeconds).toBeLessThanOrEqual(seconds)
      expect(job?.waitSeconds).toBeGreaterThan(seconds - 2)
      expect(await readFailureCount('one')).toBe(attempts)
      await makeRetryDue()
    }
    // A job that is running is not in `readQueue`: wait until no row is left.
    await waitUntil(async () => expect(await countJobs()).toBe(0))
    expect(ran).toEqual(['one'])
    expect(await readFailureCount('one')).toBe(2)
    expect(logLines.join()).toContain('the database was too busy')
    expect(alarms()).toEqual([])
    expect(await readFailingGauge('one')).toBe(0)
  })

  it('does not keep other jobs from running', async () => {
    failures = { one: 1 }
    await jobs.addJob('one', {})
    await waitUntil(async () => expect(await readFailureCount('one')).toBe(1))
    await jobs.addJob('other', {})
    await waitUntil(async () => expect(ran).toEqual(['other']))
    expect(await readFailureCount('other')).toBe(0)
  })

  it('for the last time raises one alarm until the task succeeds again, and does not block its key', async () => {
    failures = { one: 2 }
    const last = { jobKey: 'one', maxAttempts: 1 }
    await jobs.addJob('one', {}, last)
    await waitUntil(async () => expect(await readFailingGauge('one')).toBe(1))
    await waitUntil(async () => expect(await readQueue()).toMatchObject([{ attempts: 1, max_attempts: 1 }]))
    expect(alarms()).toHaveLength(1)
    expect(alarms()[0]).toContain('"task":"one"')
    expect(alarms()[0]).toContain('the database was too busy')

    // Queued again under the same key, as the crontab does every minute.
    await jobs.addJob('one', {}, last)
    await waitUntil(async () => expect(await readFailureCount('one')).toBe(2))
    expect(alarms()).toHaveLength(1)

    await jobs.addJob('one', {}, last)
    await waitUntil(async () => expect(ran).toEqual(['one']))
    await waitUntil(async () => expect(await readFailingGauge('one')).toBe(0))

    failures = { one: 1 }
    await jobs.addJob('one', {}, last)
    await waitUntil(async () => expect(alarms()).toHaveLength(2))
  })

  it('three times in a row raises an alarm, even if each try belonged to another job', async () => {
    failures = { one: 3 }
    for (const failed of [1, 2, 3]) {
      expect(alarms()).toEqual([])
      // Queuing a key again resets its tries, so this job never reaches its last one.
      await jobs.addJob('one', {}, { jobKey: 'one' })
      await waitUntil(async () => expect(await readFailureCount('one')).toBe(failed))
      await waitUntil(async () => expect(await readQueue()).toMatchObject([{ attempts: 1 }]))
    }
    expect(alarms()).toHaveLength(1)
  })

  it('for good is removed by the daily sweep; a job that waits for its next try stays', async () => {
    failures = { one: 1, other: 1 }
    await jobs.addJob('one', {}, { maxAttempts: 1 })
    await jobs.addJob('other', {}, { maxAttempts: 2 })
    await waitUntil(async () => expect((await readQueue()).map(({ attempts }) => attempts)).toEqual([1, 1]))
    await jobs.addJob('sweep-failed-jobs', {})
    await waitUntil(async () => expect((await readQueue()).map(({ task }) => task)).toEqual(['other']))
  })
})

describe('the queue', () => {
  it('gives every scheduled task a key, so that it is queued once, and three tries', () => {
    const [item] = parseCrontab(buildCrontab({ 'seal-ledger': '* * * * *' }))
    expect(item).toMatchObject({ task: 'seal-ledger', options: { jobKey: 'seal-ledger', maxAttempts: 3 } })
    // Any other mode would keep the key of a job that failed for good.
    expect(item?.options.jobKeyMode ?? 'replace').toBe('replace')
  })

  it('retries if the database is unavailable when a job ends', async () => {
    const name = sql.id(
      (await sql<{ name: string }>`select current_database() as name`.execute(owner.db)).rows[0]?.name ?? '',
    )
    duringNext = async () => {
      await sql`alter database ${name} connection limit 0`.execute(owner.db)
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'lode jobs' and datname = current_database()`.execute(owner.db)
    }
    await jobs.addJob('one', {})
    await waitUntil(async () => expect(ran).toEqual(['one']))
    await waitUntil(async () => expect(logLines.join()).toContain('the database is unavailable'))
    await sql`alter database ${name} connection limit -1`.execute(owner.db)
    await waitUntil(async () => expect(await countJobs()).toBe(0))
    await jobs.addJob('other', {})
    await waitUntil(async () => expect(ran).toEqual(['one', 'other']))
  })

  it('gives a task no payload, even if the queue has one', async () => {
    await jobs.addJob('one', { member: 1, amount: '1000000' })
    await waitUntil(async () => expect(ran).toEqual(['one']))
  })

  it('forgets at its start a last run that is in the future, and keeps the others', async () => {
    await jobs.stop()
    await sql`
      insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
      values ('one', now(), now() + interval '30 days'), ('other', now(), now() - interval '1 hour')`.execute(owner.db)
    jobs = await start()
    const { rows } = await sql<{ identifier: string; isKnown: boolean }>`
      select identifier, last_execution is not null as "isKnown" from graphile_worker._private_known_crontabs
      where identifier in ('one', 'other') order by identifier`.execute(owner.db)
    expect(rows).toEqual([
      { identifier: 'one', isKnown: false },
      { identifier: 'other', isKnown: true },
    ])
  })

  it('uses at most five connections', async () => {
    await Promise.all(Array.from({ length: 40 }, () => jobs.addJob('one', {})))
    await waitUntil(async () => expect(ran).toHaveLength(40))
    const { rows } = await sql<{ count: number }>`
      select count(*)::int4 as count from pg_stat_activity
      where application_name = 'lode jobs' and datname = current_database()`.execute(owner.db)
    expect(rows[0]?.count).toBeLessThanOrEqual(5)
    expect(rows[0]?.count).toBeGreaterThan(1)
  })
})

describe('stopping', () => {
  it('waits for a running job, and stores that it has succeeded', async () => {
    const began = Promise.withResolvers<void>()
    let ended = false
    const slow = await runJobs({
      databaseUrl: database.urlOf('lode_worker'),
      tasks: {
        slow: async () => {
          began.resolve()
          await sleep(500)
          ended = true
        },
      },
      schedule: {},
      metrics,
      log: pino({ level: 'silent' }),
    })
    await slow.addJob('slow', {})
    await began.promise
    await slow.stop()
    expect(ended).toBe(true)
    expect(await countJobs()).toBe(0)
  })
})
