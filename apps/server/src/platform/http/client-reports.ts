import { ok } from '@lode/kernel'
import { scrub } from '@lode/wire'
import type { Logger } from 'pino'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Mount } from './mount.ts'

/**
 * Takes reports of errors in the web app. Anybody can send anything, so a report is scrubbed again, and nothing but a
 * counter and a log line follows from it.
 */
export function mountClientReports(mount: Mount, { log, metrics }: { log: Logger; metrics: Metrics }): void {
  mount(
    'client/report',
    async ({ input: { kind, text, build } }) => {
      metrics.clientErrors.inc({ kind })
      log.warn({ kind, report: scrub(text), build: scrub(build) }, 'the web app reported an error')
      return ok({})
    },
    { limit: { kind: 'clientReports' } },
  )
}
