import type { Result } from '@lode/kernel'
import type { Failure } from '../api/index.ts'
import { askUntilKnown, type Outcome, waitOrOnline } from './ask-until-known.ts'
import type { Press, Presses } from './presses.ts'

type Sending<P extends Press, T> = {
  readonly presses: Presses<P>
  /** Written down before each time it is sent. */
  readonly press: P
  /** One of the same terms, of which nobody knows what came: this is that press again, under its key. */
  readonly earlier: P | undefined
  readonly send: (press: P) => Promise<Result<T, Failure>>
  /** The earlier one came to nothing for what is not among its terms, such as its password: so this is one of its own. */
  readonly isOfItsOwn: (failure: Failure) => boolean
  readonly onUnheard: () => void
  readonly signal: AbortSignal
}

/** Sends one press, as often as it takes to know what came of it. The pool does it at most once. */
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
