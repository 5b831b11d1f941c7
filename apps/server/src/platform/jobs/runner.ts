import { EventEmitter } from 'node:events'
import {
  type AddJobFunction,
  Logger as JobLogger,
  makeWorkerUtils,
  run,
  type Task,
  type WorkerEvents,
} from 'graphile-worker'
import type pg from 'pg'
import type { Logger } from 'pino'
import { openPool } from '../db/database.ts'
import { isDatabaseUnavailable } from '../db/failure.ts'
import type { Metrics } from '../telemetry/metrics.ts'

type Options = {
  readonly databaseUrl: string
  readonly tasks: Readonly<Record<string, Task>>
  /** When the crontab queues each task, by the task's name. */
  readonly schedule: Readonly<Record<string, string>>
  readonly metrics: Pick<Metrics, 'jobFailures' | 'jobFailing'>
  readonly log: Logger
}

export type RunningJobs = { readonly addJob: AddJobFunction; stop(): Promise<void> }

const CONCURRENCY = 4

/** One connection listens for new jobs; each of the others takes, completes or fails the job of one slot. */
const MAX_CONNECTIONS = CONCURRENCY + 1

/**
 * The second try comes 2.7 seconds after the first, the third 7.4 seconds after the second: graphile-worker waits
 * exp(tries) seconds. The crontab queues most tasks every minute, which resets the count. A fourth try would come 20
 * seconds later. A task whose tries take eight seconds each would then never reach its last one, and never alarm.
 */
export const MAX_TRIES = 3

/** Removes the rows of jobs that failed their last try. They block nothing, but would accumulate. */
const SWEEP = 'sweep-failed-jobs'
const SWEEP_SCHEDULE = '0 3 * * *'

/**
 * Jobs are wake-ups: the data is in tables, and every task reads it again. So a job of a killed process is simply run
 * again, and nothing is lost when a job fails for good: the crontab queues its task again.
 *
 * graphile-worker gets its own connection pool, without our parser of int8. With the parser its job ids would be
 * bigints, which it cannot write as JSON when it stores a failure.
 */
export async function runJobs({ databaseUrl, tasks, schedule, metrics, log }: Options): Promise<RunningJobs> {
  const pool = openPool(databaseUrl, {
    name: 'lode jobs',
    max: MAX_CONNECTIONS,
    onError: (error) => log.warn({ err: error, source: 'jobs' }, 'a database connection broke'),
  })
  retryWhenUnavailable(pool, log)
  const sweep: Task = async () => {
    const queue = await makeWorkerUtils({ pgPool: pool })
    await queue.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS'] })
    await queue.release()
  }
  const taskList = { ...tasks, [SWEEP]: sweep }
  try {
    const runner = await run({
      pgPool: pool,
      taskList,
      crontab: crontabOf({ ...schedule, [SWEEP]: SWEEP_SCHEDULE }),
      concurrency: CONCURRENCY,
      // The process handles signals itself; see `stopWhenTold`.
      noHandleSignals: true,
      events: watchFailures(Object.keys(taskList), metrics, log),
      logger: new JobLogger(() => (level, message) => {
        log[level === 'warning' ? 'warn' : level]({ source: 'jobs' }, message)
      }),
    })
    let stopping = false
    // The runner ends when it cannot go on. Nothing catches this error, so the process ends too and is restarted.
    void runner.promise.finally(() => {
      if (!stopping) throw new Error('the queue of jobs has stopped')
    })
    return {
      addJob: runner.addJob,
      stop: async () => {
        stopping = true
        await runner.stop()
        await pool.end()
      },
    }
  } catch (error) {
    await pool.end()
    throw error
  }
}

/** An error code for which graphile-worker repeats a statement: after 3 seconds, then at growing intervals. */
const TRY_AGAIN = 'ETIMEDOUT'

/**
 * graphile-worker does not catch the error if it cannot record how a job ended, so a busy or restarting database would
 * end the process. It does retry for a few error codes, so every error of an unavailable database gets one of them. All
 * its statements may be run twice.
 */
function retryWhenUnavailable(pool: pg.Pool, log: Logger): void {
  const marked = (error: unknown): never => {
    if (!isDatabaseUnavailable(error)) throw error
    log.warn({ err: error, source: 'jobs' }, 'the database is unavailable')
    throw Object.assign(new Error('the database is unavailable', { cause: error }), { code: TRY_AGAIN })
  }
  const connect = pool.connect.bind(pool)
  // The form with a callback is used for listening and for the crontab, which graphile-worker retries in any case.
  pool.connect = ((callback?: Parameters<typeof connect>[0]) =>
    callback ? connect(callback) : connect().catch(marked)) as typeof pool.connect
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      const answer = query(...args)
      return answer instanceof Promise ? answer.catch(marked) : answer
    }) as typeof client.query
  })
}

/** Each task has its own key, so that it is queued once. A failed job gives up its key to the next one. */
export const crontabOf = (schedule: Options['schedule']): string =>
  Object.entries(schedule)
    .map(([task, when]) => `${when} ${task} ?jobKey=${task}&max=${MAX_TRIES}\n`)
    .join('')

/**
 * Counts every failed try, and alarms when a job fails its last one: once, until the task succeeds again.
 *
 * The same number of failed tries in a row alarms too, whichever jobs they belong to. This covers a job that still runs
 * when the crontab queues its task again, which is not retried, and one that another program queued with 25 tries.
 */
function watchFailures(names: readonly string[], metrics: Options['metrics'], log: Logger): WorkerEvents {
  const failedInARow = new Map<string, number>()
  const alarmed = new Set<string>()
  const events: WorkerEvents = new EventEmitter()
  for (const task of names) {
    metrics.jobFailures.inc({ task }, 0)
    metrics.jobFailing.set({ task }, 0)
  }
  events.on('job:error', ({ job, error }) => {
    const task = job.task_identifier
    const failed = (failedInARow.get(task) ?? 0) + 1
    failedInARow.set(task, failed)
    metrics.jobFailures.inc({ task })
    if (alarmed.has(task) || (job.attempts < job.max_attempts && failed < MAX_TRIES)) return
    alarmed.add(task)
    metrics.jobFailing.set({ task }, 1)
    log.error({ task, err: error }, 'ALARM: a job failed its last try')
  })
  events.on('job:success', ({ job: { task_identifier: task } }) => {
    failedInARow.delete(task)
    alarmed.delete(task)
    metrics.jobFailing.set({ task }, 0)
  })
  return events
}
