import { Logger as JobLogger, type Runner, run, type Task } from 'graphile-worker'
import type pg from 'pg'
import type { Logger } from 'pino'

type Options = { pool: pg.Pool; tasks: Readonly<Record<string, Task>>; crontab: string; log: Logger }

/**
 * Jobs are wake-ups: the truth is in rows, and every task re-reads them. So a job that a killed process held is simply run
 * again, and nothing is lost when one is. One that fails is done with: the crontab wakes it again. (The queue could not write
 * the failure down, for its numbers come as bigints from our connections, and it tells of it in JSON.)
 */
export const runJobs = ({ pool, tasks, crontab, log }: Options): Promise<Runner> =>
  run({
    pgPool: pool,
    taskList: Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, logged(name, task, log)])),
    crontab,
    concurrency: 4,
    // The process decides how it stops; see `stopWhenTold`.
    noHandleSignals: true,
    logger: new JobLogger(() => (level, message) => {
      log[level === 'warning' ? 'warn' : level]({ source: 'jobs' }, message)
    }),
  })

const logged =
  (name: string, task: Task, log: Logger): Task =>
  async (payload, helpers) => {
    try {
      await task(payload, helpers)
    } catch (error) {
      log.error({ err: error, source: 'jobs', job: name }, 'a job failed')
    }
  }
