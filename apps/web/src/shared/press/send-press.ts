import type { Result } from '@lode/kernel'
import type { Failure } from '../api/index.ts'
import type { Press, PressStore } from './press-store.ts'
import { type Outcome, retryUntilAnswered, waitOrOnline } from './retry-until-answered.ts'

type SendPressOptions<P extends Press, T> = {
  readonly presses: PressStore<P>
  /** Stored again before each send. */
  readonly press: P
  /** An earlier press with the same terms and an unknown outcome. It is sent again first, under its own key. */
  readonly earlier: P | undefined
  readonly send: (press: P) => Promise<Result<T, Failure>>
  /**
   * True if the earlier press was refused because of something outside its terms, such as its password. Then the new
   * press is sent under a new key.
   */
  readonly isUnrelatedToTerms: (failure: Failure) => boolean
  readonly onAnswerLost: () => void
  readonly signal: AbortSignal
}

/** Sends one press until its outcome is known or the caller stops waiting. The pool executes it at most once. */
export async function sendPress<P extends Press, T>(sending: SendPressOptions<P, T>): Promise<Outcome<T>> {
  const { press, earlier, isUnrelatedToTerms } = sending
  if (earlier) {
    const outcome = await sendUnderKey(sending, earlier, true)
    if (outcome.kind !== 'refused' || !isUnrelatedToTerms(outcome.failure)) return outcome
  }
  return await sendUnderKey(sending, press, false)
}

async function sendUnderKey<P extends Press, T>(
  { presses, send, onAnswerLost, signal }: SendPressOptions<P, T>,
  press: P,
  wasSentBefore: boolean,
): Promise<Outcome<T>> {
  const outcome = await retryUntilAnswered({
    ask: () => {
      presses.save({ ...press, pressedAt: Date.now() })
      return send(press)
    },
    wasSentBefore,
    onAnswerLost,
    wait: waitOrOnline,
    signal,
  })
  if (outcome.kind !== 'unknown') presses.remove(press)
  return outcome
}
