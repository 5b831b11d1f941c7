import type { Logger } from 'pino'

const STOP_TIMEOUT_MS = 5_000

/**
 * Stopping only closes connections, because everything that matters is in the database already (crash-only). A second
 * signal, a close that takes more than 5 seconds, or an uncaught error ends the process at once.
 */
export function stopOnSignal(close: () => Promise<void>, log: Logger): void {
  let stopping = false
  const stop = (signal: string) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
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
    log.fatal({ err: error }, 'uncaught error')
    process.exit(1)
  })
}
