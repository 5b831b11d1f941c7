import { ok, type Result, refused } from '@lode/kernel'
import type { RefusalCode } from '@lode/wire'
import { useEffect, useRef, useState } from 'react'
import type { Failure } from '../api/index.ts'
import { newKey, type Press, type Presses, sendPress } from '../press/index.ts'
import { session } from '../session/index.ts'
import { isOfPassword, useCommand } from './use-command.ts'

type Pressing<Terms, T> = {
  readonly presses: Presses<Terms & Press>
  /** What the member was shown and agrees to by pressing. */
  readonly terms: Terms
  /** Pressing for the same again, while it is not known what came of the first press, is the first press again. */
  readonly isSame: (kept: Terms) => boolean
  readonly send: (key: string) => Promise<Result<T, Failure>>
  /** Not called any more where the form was left meanwhile; nor is the other. */
  readonly onMade: (made: T) => void
  /** Does what a refusal asks for, beside its being said. */
  readonly onRefused: (reason: RefusalCode) => Promise<void>
}

/**
 * The press of a form that moves money. It has one key however often it is tapped. It is sent until its outcome is known or
 * the form is left.
 */
export function usePress<Terms, T>({ presses, terms, isSame, send, onMade, onRefused }: Pressing<Terms, T>) {
  const command = useCommand()
  const [isUnheard, setUnheard] = useState(false)
  /** A second tap comes before the first has been drawn. */
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

  /** `isResumed`: an earlier press for the same has no known outcome yet; pressing sends that one again. */
  return { command, press, isUnheard, isResumed: earlier !== undefined }
}
