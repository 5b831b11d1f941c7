import { EventEmitter } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type AddJobFunction, Logger as JobLogger, makeWorkerUtils, run, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import type { Logger } from 'pino'
import { openPool } from '../db/database.ts'
import { isDatabaseUnavailable } from '../db/database-unavailable.ts'
import type { Metrics } from '../telemetry/metrics.ts'

type Options = {
  readonly databaseUrl: string
  /** A task gets no payload: a thief who can write to the queue must not decide what a task does. */
  readonly tasks: Readonly<Record<string, () => Promise<void>>>
  /** The crontab times of each task, by the task's name. */
  readonly schedule: Readonly<Record<string, string>>
  readonly metrics: Pick<Metrics, 'jobFailures' | 'jobFailing'>
  readonly log: Logger
}

export type RunningJobs = { readonly addJob: AddJobFunction; stop(): Promise<void> }

const CONCURRENCY = 4

/** One connection listens for new jobs. Each of the four job slots uses one to take a job and to store its result. */
const MAX_CONNECTIONS = CONCURRENCY + 1

/**
 * The second try comes 2.7 seconds after the first, the third 7.4 seconds after the second: graphile-worker waits
 * exp(tries) seconds. The crontab queues most tasks every minute, and that resets the count of tries. With a fourth
 * try, 20 seconds after the third, a task whose tries take eight seconds each would need more than a minute. It would
 * never reach its last try, and so never raise an alarm.
 */
export const MAX_TRIES = 3

/** Removes the rows of jobs that failed their last try. They block nothing, but would accumulate. */
const SWEEP = 'sweep-failed-jobs'
const SWEEP_SCHEDULE = '0 3 * * *'

/**
 * Runs the job queue. A job is only a wake-up: the data is in tables, and every task reads it from there. So the job of
 * a killed process can simply run again. If a job fails its last try, nothing is lost: the crontab queues its task
 * again.
 *
 * graphile-worker gets its own connection pool, which returns int8 as text. With our own pool its job ids would be
 * bigints, and it cannot write a bigint as JSON when it stores a failure.
 */
export async function runJobs({ databaseUrl, tasks, schedule, metrics, log }: Options): Promise<RunningJobs> {
  const pool = openPool(databaseUrl, {
    name: 'lode jobs',
    max: MAX_CONNECTIONS,
    onError: (error) => log.warn({ err: error, source: 'jobs' }, 'a database connection broke'),
  })
  makeUnavailabilityRetryable(pool, log)
  const sweep = async (): Promise<void> => {
    const queue = await makeWorkerUtils({ pgPool: pool })
    await queue.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS'] })
    await queue.release()
  }
  const taskList = Object.fromEntries(
    Object.entries({ ...tasks, [SWEEP]: sweep }).map(([name, task]) => [name, () => task()]),
  )
  try {
    await forgetFutureRuns(pool)
    const runner = await run({
      pgPool: pool,
      taskList,
      crontab: buildCrontab({ ...schedule, [SWEEP]: SWEEP_SCHEDULE }),
      concurrency: CONCURRENCY,
      // The process handles signals itself; see `stopOnSignal`.
      noHandleSignals: true,
      events: watchFailures(Object.keys(taskList), metrics, log),
      logger: new JobLogger(() => (level, message) => {
        log[level === 'warning' ? 'warn' : level]({ source: 'jobs' }, message)
      }),
    })
    let stopping = false
    // If the runner ends by itself, this error is not caught, so the process ends and is restarted.
    void runner.promise.finally(() => {
      if (!stopping) throw new Error('the job queue has stopped')
    })
    return {
      addJob: runner.addJob,
      stop: async () => {
        stopping = true
        await runner.stop()
        // graphile-worker waits for running jobs, but only then stores how they ended, and does not wait for that. The
        // pool waits for statements that have begun.
        await nextTurn()
        await pool.end()
      },
    }
  } catch (error) {
    await pool.end()
    throw error
  }
}

/**
 * The crontab queues a task only if its last run is before this minute. A last run in the future, from a clock that was
 * wrong or from somebody who wrote it there, would keep a task from running until then, without any alarm.
 */
const forgetFutureRuns = (pool: pg.Pool): Promise<unknown> =>
  pool.query(`
    update graphile_worker._private_known_crontabs set last_execution = null
    where last_execution > now() + interval '1 minute'`)

/** An error code after which graphile-worker retries a statement: after 3 seconds, then after longer pauses. */
const RETRYABLE_CODE = 'ETIMEDOUT'

/**
 * If graphile-worker cannot store how a job ended, it does not catch the error, so a busy or restarting database would
 * end the process. But it retries after a few error codes. So this function gives every error of an unavailable
 * database one of these codes. All statements of graphile-worker may be run twice.
 */
function makeUnavailabilityRetryable(pool: pg.Pool, log: Logger): void {
  const throwRetryable = (error: unknown): never => {
    if (!isDatabaseUnavailable(error)) throw error
    log.warn({ err: error, source: 'jobs' }, 'the database is unavailable')
    throw Object.assign(new Error('the database is unavailable', { cause: error }), { code: RETRYABLE_CODE })
  }
  const connect = pool.connect.bind(pool)
  // graphile-worker calls connect() with a callback for listening and for the crontab. It always retries these two.
  pool.connect = ((callback?: Parameters<typeof connect>[0]) =>
    callback ? connect(callback) : connect().catch(throwRetryable)) as typeof pool.connect
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      const result = query(...args)
      return result instanceof Promise ? result.catch(throwRetryable) : result
    }) as typeof client.query
  })
}

/** The job key is the task's name, so that each task is queued once. A new job takes the key over from a failed one. */
export const buildCrontab = (schedule: Options['schedule']): string =>
  Object.entries(schedule)
    .map(([task, when]) => `${when} ${task} ?jobKey=${task}&max=${MAX_TRIES}\n`)
    .join('')

/**
 * Counts every failed try. Raises an alarm when a job fails its last try, and then no more until the task succeeds.
 *
 * MAX_TRIES failed tries of a task in a row raise the alarm too, whichever jobs they belong to. This covers two cases.
 * If the crontab queues a task while its job still runs, that job is not retried after a failure, although the failed
 * try was not its last. And another program may have queued a job with 25 tries.
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
