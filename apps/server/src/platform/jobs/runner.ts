import { Logger as JobLogger, type Runner, run, type TaskList } from 'graphile-worker'
import type pg from 'pg'
import type { Logger } from 'pino'

type Options = { pool: pg.Pool; tasks: TaskList; crontab: string; log: Logger }

/**
 * Jobs are wake-ups: the truth is in rows, and every task re-reads them. So a job that a killed process held is simply run
 * again, and nothing is lost when one is.
 */
export const runJobs = ({ pool, tasks, crontab, log }: Options): Promise<Runner> =>
  run({
    pgPool: pool,
    taskList: tasks,
    crontab,
    concurrency: 4,
    // The process decides how it stops; see `stopWhenTold`.
    noHandleSignals: true,
    logger: new JobLogger(() => (level, message) => {
      log[level === 'warning' ? 'warn' : level]({ source: 'jobs' }, message)
    }),
  })
