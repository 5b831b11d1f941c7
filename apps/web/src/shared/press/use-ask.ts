import type { Result } from '@lode/kernel'
import { useState } from 'react'
import type { Failure } from '../api/index.ts'
import { useText } from '../i18n/index.ts'
import { toast } from '../notify/index.ts'
import { askUntilKnown, type Outcome, waitOrOnline } from './ask-until-known.ts'
import { newKey } from './presses.ts'

/** What came of it is seen in what the pool shows, so it is not asked for for ever. */
const ASK_FOR_MS = 60_000

/** A press that needs nothing to be remembered: one key for as long as the button is at work. */
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
