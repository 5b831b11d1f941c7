import type { Result } from '@lode/kernel'
import { useState } from 'react'
import type { Failure } from '../api/index.ts'
import { useText } from '../i18n/index.ts'
import { toast } from '../notify/index.ts'
import { newKey } from './press-store.ts'
import { type Outcome, retryUntilAnswered, waitOrOnline } from './retry-until-answered.ts'

/** After this time the app stops sending the request. The pool's data then shows the outcome. */
const RETRY_FOR_MS = 60_000

/**
 * A press that is not stored. Its key stays the same while the button is busy; the next press gets a new key. `failure`
 * is that of the last press. Views show it beside the button until the next press, because a toast is soon gone.
 */
export function useUnstoredPress<T>() {
  const t = useText()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)

  async function ask(send: (key: string) => Promise<Result<T, Failure>>): Promise<Outcome<T>> {
    const key = newKey()
    setBusy(true)
    setFailure(null)
    // Safari 15 has no AbortSignal.timeout.
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), RETRY_FOR_MS)
    const outcome = await retryUntilAnswered({
      ask: () => send(key),
      wasSentBefore: false,
      onAnswerLost: () => toast.error(t('errors.noResponse')),
      wait: waitOrOnline,
      signal: timeout.signal,
    })
    clearTimeout(timer)
    setBusy(false)
    if (outcome.kind !== 'done') setFailure(outcome.failure)
    return outcome
  }
  return { busy, failure, ask }
}
