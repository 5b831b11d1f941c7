import { ok, type Result, refused } from '@lode/kernel'
import type { RefusalCode } from '@lode/wire'
import { useEffect, useRef, useState } from 'react'
import type { Failure } from '../api/index.ts'
import { newKey, type Press, type Presses, sendPress } from '../press/index.ts'
import { session } from '../session/index.ts'
import { isOfPassword, useCommand } from './use-command.ts'

type Pressing<Terms, T> = {
  readonly presses: Presses<Terms & Press>
  /** The terms that the member saw and agrees to by pressing. */
  readonly terms: Terms
  /** Whether a new press repeats a stored one whose outcome is unknown. If so, it is sent under the same key. */
  readonly isSame: (kept: Terms) => boolean
  readonly send: (key: string) => Promise<Result<T, Failure>>
  /** `onMade` and `onRefused` are not called after the form was closed. */
  readonly onMade: (made: T) => void
  /** Reacts to a refusal. The refusal is shown in any case. */
  readonly onRefused: (reason: RefusalCode) => Promise<void>
}

/**
 * The press of a form that moves money. It has one key, however often the member taps. It is sent until its outcome is
 * known or the form is closed.
 */
export function usePress<Terms, T>({ presses, terms, isSame, send, onMade, onRefused }: Pressing<Terms, T>) {
  const command = useCommand()
  const [isUnheard, setUnheard] = useState(false)
  /** A ref, because a second tap can come before React has rendered the first. */
  const sends = useRef(false)
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])
  const account = session.get().account ?? ''
  const earlier = presses.keptOf(account).find(isSame)

  async function press(): Promise<void> {
    if (sends.current) return
    sends.current = true
    const { signal } = leaving.current
    await command.run(
      async (): Promise<Result<T, Failure>> => {
        const outcome = await sendPress({
          presses,
          press: { ...terms, key: newKey(), account, pressedAt: Date.now() },
          earlier,
          send: ({ key }) => send(key),
          isOfItsOwn: isOfPassword,
          onUnheard: () => setUnheard(true),
          signal,
        })
        return outcome.kind === 'done' ? ok(outcome.value) : refused(outcome.failure)
      },
      (made) => signal.aborted || onMade(made),
      async (reason) => {
        if (!signal.aborted) await onRefused(reason)
      },
    )
    sends.current = false
    setUnheard(false)
  }

  /** `isResumed`: an earlier press with the same terms has no known outcome. Pressing sends that one again. */
  return { command, press, isUnheard, isResumed: earlier !== undefined }
}
