import type { Logger } from 'pino'
import type { Environment } from '../platform/config/config.ts'
import { createLogger } from '../platform/telemetry/logger.ts'
import { StartUpRefusal } from './start-up.ts'
import { stopWhenTold } from './stop.ts'

type Started = { log: Logger; close(): Promise<void> }

/** Runs a process until it is told to stop. If it cannot start, it prints the reason in plain words. */
export async function runProcess(name: string, start: (environment: Environment) => Promise<Started>): Promise<void> {
  try {
    const { log, close } = await start(process.env)
    stopWhenTold(close, log)
  } catch (error) {
    const log = createLogger(name, 'info')
    if (error instanceof StartUpRefusal) log.fatal(error.message)
    else log.fatal({ err: error }, 'could not start')
    process.exit(1)
  }
}
