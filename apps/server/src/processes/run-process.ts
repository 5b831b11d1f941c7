import type { Logger } from 'pino'
import type { Environment } from '../platform/config/config.ts'
import { createLogger } from '../platform/telemetry/logger.ts'
import { ExpectedFailure } from './start-up.ts'
import { stopOnSignal } from './stop-on-signal.ts'

type StartedProcess = { log: Logger; close(): Promise<void> }

/** Runs a process until a signal stops it. If it cannot start, logs the reason and exits with code 1. */
export async function runProcess(
  name: string,
  start: (environment: Environment) => Promise<StartedProcess>,
): Promise<void> {
  try {
    const { log, close } = await start(process.env)
    stopOnSignal(close, log)
  } catch (error) {
    const log = createLogger(name, 'info')
    if (error instanceof ExpectedFailure) log.fatal(error.message)
    else log.fatal({ err: error }, 'could not start')
    process.exit(1)
  }
}
