import { assertNever } from '@lode/kernel'
import type { RefusalCode } from '@lode/wire'
import type { TFunction } from 'i18next'
import type { ErrorText } from '../i18n/index.ts'

/** Every way in which a call can end badly. The words come when it is shown, in the language of that moment. */
export type Failure =
  /** Not sent: it needs a token and there is none. */
  | { readonly kind: 'blocked' }
  /** Not sent: it speaks for an account and none is stored. */
  | { readonly kind: 'no-account' }
  /** The session is over. It has been cleared already. */
  | { readonly kind: 'session-ended' }
  /** The server said no. `reason` is null where it gave none that we know. */
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly reason: RefusalCode | null
      /** In the words of the server, which speaks one language at a time; null where it gave none. */
      readonly said: string | null
      /** What to say where neither a reason nor words were given. */
      readonly otherwise: ErrorText
      /** What is wrong with which input, to be shown there. */
      readonly fields: Readonly<Record<string, string>>
    }
  /** Nothing came back: no network, or not within the time. */
  | { readonly kind: 'no-response' }
  /** Something came back that is no answer of ours. */
  | { readonly kind: 'unreadable' }
  /** The caller no longer wants it. */
  | { readonly kind: 'cancelled' }

/** For where a failure must be thrown, as queries do. */
export class CallError extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.kind)
    this.failure = failure
  }
}

export function failureText(t: TFunction, failure: Failure): string {
  switch (failure.kind) {
    case 'blocked':
      return t('errors.missingToken')
    case 'no-account':
      return t('errors.accountNotAvailable')
    case 'session-ended':
      return t('refusals.session-expired')
    case 'refused':
      return failure.reason ? t(`refusals.${failure.reason}`) : (failure.said ?? t(failure.otherwise))
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

export const errorText = (t: TFunction, error: Error): string =>
  error instanceof CallError ? failureText(t, error.failure) : t('errors.netError')

/** Why the server said no, where an error is that. */
export const refusalOf = (error: Error | null): RefusalCode | null =>
  error instanceof CallError && error.failure.kind === 'refused' ? error.failure.reason : null
