import type { Result } from '@lode/kernel'
import type { Failure } from '../api/index.ts'
import { askUntilKnown, type Outcome, waitOrOnline } from './ask-until-known.ts'
import type { Press, Presses } from './presses.ts'

type Sending<P extends Press, T> = {
  readonly presses: Presses<P>
  /** Stored again before each send. */
  readonly press: P
  /** An earlier press with the same terms and an unknown outcome. It is sent again first, under its own key. */
  readonly earlier: P | undefined
  readonly send: (press: P) => Promise<Result<T, Failure>>
  /**
   * True if the earlier press was refused because of something outside its terms, such as its password. Then the new
   * press is sent under a new key.
   */
  readonly isOfItsOwn: (failure: Failure) => boolean
  readonly onUnheard: () => void
  readonly signal: AbortSignal
}

/** Sends one press until its outcome is known. The pool does it at most once. */
export async function sendPress<P extends Press, T>(sending: Sending<P, T>): Promise<Outcome<T>> {
  const { press, earlier, isOfItsOwn } = sending
  if (earlier) {
    const outcome = await sendUnderKey(sending, earlier, true)
    if (outcome.kind !== 'refused' || !isOfItsOwn(outcome.failure)) return outcome
  }
  return await sendUnderKey(sending, press, false)
}

async function sendUnderKey<P extends Press, T>(
  { presses, send, onUnheard, signal }: Sending<P, T>,
  press: P,
  askedBefore: boolean,
): Promise<Outcome<T>> {
  const outcome = await askUntilKnown({
    ask: () => {
      presses.keep({ ...press, pressedAt: Date.now() })
      return send(press)
    },
    askedBefore,
    onUnheard,
    wait: waitOrOnline,
    signal,
  })
  if (outcome.kind !== 'unknown') presses.drop(press)
  return outcome
}
