import { type ClientErrorKind, scrub } from '@lode/wire'
import { call } from '../api/index.ts'
import { errorText } from './error-text.ts'
import { createReportLimit } from './report-limit.ts'

const isAllowed = createReportLimit()

function send(kind: ClientErrorKind, text: string | null): void {
  if (text === null || !isAllowed(`${kind} ${text}`)) return
  const build = document.querySelector<HTMLScriptElement>('script[type=module]')?.src.split('/').at(-1) ?? ''
  void call('client/report', { kind, text, build: build.slice(0, 80) }, { quiet: true, keepalive: true })
}

/** Reports an error that a view threw while it rendered. */
export const reportViewError = (error: unknown): void => send('view', errorText(error))

/** From now on, errors of the app and violations of its security policy are reported to the pool. */
export function watchErrors(): void {
  window.addEventListener('error', ({ error }) => send('error', errorText(error)))
  window.addEventListener('unhandledrejection', ({ reason }) => send('rejection', errorText(reason)))
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    send('policy', scrub(`${effectiveDirective} ${blockedURI}`)),
  )
}
