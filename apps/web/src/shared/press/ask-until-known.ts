import type { Result } from '@lode/kernel'
import type { Failure } from '../api/index.ts'

type Ports<T> = {
  /**
   * Sends the same request with the same key each time. The pool does it once and then always returns the first
   * outcome.
   */
  readonly ask: () => Promise<Result<T, Failure>>
  /** True if earlier attempts under this key got no answer. */
  readonly askedBefore: boolean
  readonly onUnheard: () => void
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** Nothing was done under this key, and nothing will be. */
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** The caller stopped waiting, and the pool may have received an attempt. */
  | { readonly kind: 'unknown'; readonly failure: Failure }

const PAUSES_MS = [1_000, 2_000, 4_000, 8_000]

/** Sends until the pool has reported the outcome, or until further attempts are useless. */
export async function askUntilKnown<T>(ports: Ports<T>): Promise<Outcome<T>> {
  const { ask, askedBefore, onUnheard, wait, signal } = ports
  for (let attempt = 0; ; attempt += 1) {
    const answer = await ask()
    if (answer.ok) return { kind: 'done', value: answer.value }
    const failure = answer.error
    const isFirst = attempt === 0 && !askedBefore
    switch (meaningOf(failure)) {
      case 'never-done':
        return { kind: 'refused', failure }
      case 'not-done-by-this':
        if (isFirst) return { kind: 'refused', failure }
        break
      case 'over':
        return { kind: isFirst ? 'refused' : 'unknown', failure }
      case 'unheard':
        break
    }
    if (signal.aborted) return { kind: 'unknown', failure }
    onUnheard()
    await wait(PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 0, signal)
    if (signal.aborted) return { kind: 'unknown', failure }
  }
}

/**
 * What a failure means for the key. A business refusal is stored with the key, so nothing will ever be done under it. A
 * rate limit, or an answer that is not the pool's own, concerns this attempt only. If the session is over, no further
 * attempt is possible.
 */
function meaningOf(failure: Failure): 'never-done' | 'not-done-by-this' | 'over' | 'unheard' {
  switch (failure.kind) {
    case 'refused':
      if (failure.status >= 500 || failure.status === 408) return 'unheard'
      if (failure.status === 429 || failure.reason === null) return 'not-done-by-this'
      return failure.status === 409 || failure.status === 422 ? 'never-done' : 'over'
    case 'blocked':
    case 'no-account':
    case 'session-ended':
      return 'over'
    case 'no-response':
    case 'unreadable':
    case 'cancelled':
      return 'unheard'
  }
}

/** Also resolves when the network comes back, because then the next attempt can start. */
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
