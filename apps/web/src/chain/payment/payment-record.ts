import type { Hex } from 'viem'
import { type Event, next } from './next.ts'
import { isEquivalent, type Payment, type Problem } from './payment.ts'
import { rulesOf } from './purposes.ts'
import type { Shelf } from './stored.ts'

export type RecordPorts = {
  readonly shelf: Shelf
  readonly now: () => number
  /** Called after the change was stored. `isKept` is false if storing failed: then only this page knows the change. */
  readonly changed: (payment: Payment, isKept: boolean) => void
}

export type PaymentRecord = ReturnType<typeof openRecord>

/** One payment as it is stored in the browser. Every change is stored before anything is done because of it. */
export function openRecord(id: string, { shelf, now, changed }: RecordPorts) {
  /** The newest state, if the browser could not store it. */
  let unkept: Payment | null = null

  const current = (): Payment | null => unkept ?? shelf.get(id)

  function apply(event: Event): Payment | null {
    const before = current()
    if (!before) return null
    if (event.type === 'found' && belongsToAnother(before, event.hash)) return before
    const after = next(before, event)
    if (after === before) return before
    // A refusal by the member removes the payment from the browser's storage.
    if (after.stage.at === 'refused') shelf.remove(id)
    const isKept = after.stage.at === 'refused' || shelf.put(after)
    // If the request cannot be stored, the wallet is not asked: after a reload the request would be forgotten.
    if (!isKept && after.stage.at === 'asking') return stop({ kind: 'not-kept' })
    unkept = isKept ? null : after
    changed(after, isKept)
    for (const { hash } of after.sent.slice(before.sent.length)) rulesOf(after.intent).tellSent(hash)
    return after
  }

  /** Pauses until the member's next press. `problem` says why; null if there is nothing to report. */
  const stop = (problem: Problem | null): Payment | null => apply({ type: 'stopped', problem, now: now() })

  const otherPayments = (): Payment[] => shelf.all().filter(({ intent }) => intent.id !== id)
  const takenByOthers = (): ReadonlySet<Hex> =>
    new Set([...shelf.claimed(), ...otherPayments().flatMap(({ sent }) => sent.map(({ hash }) => hash))])

  /**
   * While this payment was looked for, another payment may have claimed the transaction, or its wallet may be about to
   * answer that it sent it.
   */
  const belongsToAnother = ({ intent }: Payment, hash: Hex): boolean =>
    takenByOthers().has(hash) ||
    otherPayments().some(
      ({ intent: other, stage }) => stage.at === 'asking' && stage.request === 'pay' && isEquivalent(other, intent),
    )

  return {
    current,
    apply,
    stop,
    /** The transactions that belong to other payments of the account. */
    takenByOthers,
    /** Tries again to store what could not be stored before. */
    storeUnkept(): void {
      if (!unkept || !shelf.put(unkept)) return
      changed(unkept, true)
      unkept = null
    },
    forgetUnkept(): void {
      unkept = null
    },
  }
}
