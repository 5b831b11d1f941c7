import type { Result } from '@lode/kernel'
import type { Failure } from '../api/index.ts'

type RetryPorts<T> = {
  /**
   * Sends the same request with the same key each time. The pool executes it once and then always returns the first
   * outcome.
   */
  readonly ask: () => Promise<Result<T, Failure>>
  /** True if earlier attempts under this key got no answer. */
  readonly wasSentBefore: boolean
  readonly onAnswerLost: () => void
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** Nothing was done under this key, and nothing will be. */
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** The caller stopped waiting or no further attempt can help, and the pool may have received an attempt. */
  | { readonly kind: 'unknown'; readonly failure: Failure }

const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000]

/** Sends until the pool reports the outcome, no further attempt can help, or the caller stops waiting. */
export async function retryUntilAnswered<T>(ports: RetryPorts<T>): Promise<Outcome<T>> {
  const { ask, wasSentBefore, onAnswerLost, wait, signal } = ports
  for (let attempt = 0; ; attempt += 1) {
    const answer = await ask()
    if (answer.ok) return { kind: 'done', value: answer.value }
    const failure = answer.error
    const isFirst = attempt === 0 && !wasSentBefore
    switch (classifyFailure(failure)) {
      case 'never-done':
        return { kind: 'refused', failure }
      case 'attempt-failed':
        if (isFirst) return { kind: 'refused', failure }
        break
      case 'cannot-retry':
        return { kind: isFirst ? 'refused' : 'unknown', failure }
      case 'answer-lost':
        break
    }
    if (signal.aborted) return { kind: 'unknown', failure }
    onAnswerLost()
    await wait(RETRY_DELAYS_MS[Math.min(attempt, RETRY_DELAYS_MS.length - 1)] ?? 0, signal)
    if (signal.aborted) return { kind: 'unknown', failure }
  }
}

/**
 * What a failure means for the key. The pool stores a business refusal with the key, so nothing will ever be done under
 * it. A rate limit, or an answer that is not the pool's own, concerns this attempt only. If the session is over,
 * or the pool refuses in any other way, no further attempt can help.
 */
function classifyFailure(failure: Failure): 'never-done' | 'attempt-failed' | 'cannot-retry' | 'answer-lost' {
  switch (failure.kind) {
    case 'refused':
      if (failure.status >= 500 || failure.status === 408) return 'answer-lost'
      if (failure.status === 429 || failure.reason === null) return 'attempt-failed'
      return failure.status === 409 || failure.status === 422 ? 'never-done' : 'cannot-retry'
    case 'blocked':
    case 'no-account':
    case 'session-ended':
      return 'cannot-retry'
    case 'no-response':
    case 'unreadable':
    case 'cancelled':
      return 'answer-lost'
  }
}

/** Waits for the given time, or until the network comes back and the next attempt can start, or until the abort. */
export const waitOrOnline = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    window.addEventListener('online', done)
    signal.addEventListener('abort', done)
  })
