import type { Result } from '@lode/kernel'
import type { Failure } from '../api/index.ts'

type Ports<T> = {
  /** The same request with the same key, every time: the pool does it once, and then tells what came of it. */
  readonly ask: () => Promise<Result<T, Failure>>
  /** There were attempts under this key before, of which nothing was heard. */
  readonly askedBefore: boolean
  readonly onUnheard: () => void
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** Nothing was done under this key, and nothing will be. */
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** Nobody waits any more, and an attempt may have been heard. */
  | { readonly kind: 'unknown'; readonly failure: Failure }

const PAUSES_MS = [1_000, 2_000, 4_000, 8_000]

/** Asks until the pool has said what came of it, or asking makes no sense any more. */
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
 * What a failure says of the key. A refusal of the state or the business is kept with the key, so that nothing is ever done under
 * it; being too fast, or an answer that is not the pool's own, says so of this attempt alone; where the pool does not listen to
 * this session any more there is no asking on.
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

/** Also ends when the network comes back: there is nothing left to wait for then. */
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
