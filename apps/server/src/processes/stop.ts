import type { Logger } from 'pino'

const PATIENCE_MS = 5_000

/**
 * Crash-only: stopping only closes connections, because everything that matters is in the database already. A second
 * signal, or a close that takes too long, ends the process as kill -9 would. An uncaught error ends it too.
 */
export function stopWhenTold(close: () => Promise<void>, log: Logger): void {
  let stopping = false
  const stop = (signal: string) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), PATIENCE_MS).unref()
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'closing failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error that nobody caught')
    process.exit(1)
  })
}
