import { ok, type Result, refused } from '@lode/kernel'
import type { RefusalCode } from '@lode/wire'
import { useEffect, useRef, useState } from 'react'
import type { Failure } from '../api/index.ts'
import { newKey, type Press, type PressStore, sendPress } from '../press/index.ts'
import { session } from '../session/index.ts'
import { isPasswordRefusal, useCommand } from './use-command.ts'

type PressOptions<Terms, T> = {
  readonly presses: PressStore<Terms & Press>
  /** The terms that the member saw and agrees to by pressing. */
  readonly terms: Terms
  /** Whether a stored press with an unknown outcome has these terms. If so, the new press is sent under its key. */
  readonly isSame: (kept: Terms) => boolean
  readonly send: (key: string) => Promise<Result<T, Failure>>
  /**
   * `onMade` and `onRefused` are not called after the form was closed. `pressedAt` is when the member pressed: the
   * answer can come much later.
   */
  readonly onMade: (made: T, pressedAt: number) => void
  /** Reacts to a refusal. The refusal is shown in any case. */
  readonly onRefused: (reason: RefusalCode) => Promise<void>
}

/**
 * The press of a form that moves money. It has one key, however often the member taps. It is sent until its outcome is
 * known or the form is closed.
 */
export function usePress<Terms, T>({ presses, terms, isSame, send, onMade, onRefused }: PressOptions<Terms, T>) {
  const command = useCommand()
  const [isAnswerLost, setAnswerLost] = useState(false)
  /** A ref, because a second tap can come before React has rendered the first. */
  const isSending = useRef(false)
  const closing = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    closing.current = controller
    return () => controller.abort()
  }, [])
  const account = session.get().account ?? ''
  const earlier = presses.pendingOf(account).find(isSame)

  async function press(): Promise<void> {
    if (isSending.current) return
    isSending.current = true
    const pressedAt = Date.now()
    const { signal } = closing.current
    await command.run(
      async (): Promise<Result<T, Failure>> => {
        const outcome = await sendPress({
          presses,
          press: { ...terms, key: newKey(), account, pressedAt },
          earlier,
          send: ({ key }) => send(key),
          isUnrelatedToTerms: isPasswordRefusal,
          onAnswerLost: () => setAnswerLost(true),
          signal,
        })
        return outcome.kind === 'done' ? ok(outcome.value) : refused(outcome.failure)
      },
      (made) => signal.aborted || onMade(made, pressedAt),
      async (reason) => {
        if (!signal.aborted) await onRefused(reason)
      },
    )
    isSending.current = false
    setAnswerLost(false)
  }

  /** `isResumed`: an earlier press with the same terms has no known outcome. Pressing sends that one again. */
  return { command, press, isAnswerLost, isResumed: earlier !== undefined }
}
