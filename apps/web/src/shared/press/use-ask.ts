import type { Result } from '@lode/kernel'
import { useState } from 'react'
import type { Failure } from '../api/index.ts'
import { useText } from '../i18n/index.ts'
import { toast } from '../notify/index.ts'
import { askUntilKnown, type Outcome, waitOrOnline } from './ask-until-known.ts'
import { newKey } from './presses.ts'

/** The pool's data shows the outcome, so the request is not repeated forever. */
const ASK_FOR_MS = 60_000

/** A press that is not stored: it has one key while the button is busy. */
export function useAsk<T>() {
  const t = useText()
  const [busy, setBusy] = useState(false)

  async function ask(send: (key: string) => Promise<Result<T, Failure>>): Promise<Outcome<T>> {
    const key = newKey()
    setBusy(true)
    // Safari 15 has no AbortSignal.timeout.
    const enough = new AbortController()
    const timer = setTimeout(() => enough.abort(), ASK_FOR_MS)
    const outcome = await askUntilKnown({
      ask: () => send(key),
      askedBefore: false,
      onUnheard: () => toast.error(t('errors.noResponse')),
      wait: waitOrOnline,
      signal: enough.signal,
    })
    clearTimeout(timer)
    setBusy(false)
    return outcome
  }
  return { busy, ask }
}
