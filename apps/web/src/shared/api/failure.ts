import { assertNever } from '@lode/kernel'
import type { RefusalCode } from '@lode/wire'
import type { ErrorText, TextFunction } from '../i18n/index.ts'

/**
 * Every way in which a call can fail. The text is chosen when the failure is shown, in the language of that moment.
 * Only `serverMessage` and `fields` are in the language of the call.
 */
export type Failure =
  /** Not sent: the route needs a session token and there is none. */
  | { readonly kind: 'blocked' }
  /** Not sent: the route needs an account and none is stored. */
  | { readonly kind: 'no-account' }
  /** The session has ended and is already cleared. */
  | { readonly kind: 'session-ended' }
  /**
   * The answer has an error status: a refusal, or an error of the server or of a proxy. `reason` is null if the answer
   * gives none that the app knows.
   */
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly reason: RefusalCode | null
      /** The server's message, in the language of the request; null if it sent none. */
      readonly serverMessage: string | null
      /** The text for an answer without a reason and without a message. */
      readonly otherwise: ErrorText
      /** Messages by input field. No screen shows them yet. */
      readonly fields: Readonly<Record<string, string>>
    }
  /** No answer came: no network, or a timeout. */
  | { readonly kind: 'no-response' }
  /** The answer does not have the expected shape. */
  | { readonly kind: 'unreadable' }
  /** The caller canceled the call. */
  | { readonly kind: 'cancelled' }

/** Wraps a failure where it must be thrown, as queries require. */
export class CallError extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.kind)
    this.failure = failure
  }
}

export function failureText(t: TextFunction, failure: Failure): string {
  switch (failure.kind) {
    case 'blocked':
      return t('errors.missingToken')
    case 'no-account':
      return t('errors.accountNotAvailable')
    case 'session-ended':
      return t('refusals.session-expired')
    case 'refused':
      return failure.reason ? t(`refusals.${failure.reason}`) : (failure.serverMessage ?? t(failure.otherwise))
    case 'no-response':
      return t('errors.noResponse')
    case 'unreadable':
      return t('errors.netError')
    case 'cancelled':
      return ''
    default:
      return assertNever(failure)
  }
}

export const errorText = (t: TextFunction, error: Error): string =>
  error instanceof CallError ? failureText(t, error.failure) : t('errors.netError')

/** The refusal's reason, if the error is a refusal. */
export const refusalReason = (error: Error | null): RefusalCode | null =>
  error instanceof CallError && error.failure.kind === 'refused' ? error.failure.reason : null
