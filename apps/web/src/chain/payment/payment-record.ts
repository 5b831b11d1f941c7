import type { Hex } from 'viem'
import { isEnded, isEquivalent, type Payment, type PaymentProblem } from './payment.ts'
import { advancePayment, type PaymentEvent } from './payment-machine.ts'
import type { PaymentStore } from './payment-store.ts'
import { selectPurposeRules } from './select-purpose-rules.ts'

export type RecordPorts = {
  readonly store: PaymentStore
  readonly now: () => number
  /** Called after each change. `isStored` is false if the browser could not store it: then only this page knows it. */
  readonly onChange: (payment: Payment, isStored: boolean) => void
}

export type PaymentRecord = ReturnType<typeof openRecord>

/**
 * One payment in the browser's storage. Each change is stored before the app acts on it. A change that cannot
 * be stored stays in this page's memory. A request to the wallet that cannot be stored is not sent.
 */
export function openRecord(id: string, { store, now, onChange }: RecordPorts) {
  /** The newest state, if the browser could not store it. */
  let unstored: Payment | null = null
  const reported = new Set<Hex>()

  const current = (): Payment | null => unstored ?? store.get(id)

  function apply(event: PaymentEvent): Payment | null {
    const before = current()
    if (!before) return null
    if (event.type === 'found' && belongsToAnother(before, event.hash)) return before
    const after = advancePayment(before, event)
    if (after === before) return before
    // A refusal by the member removes the payment from the browser's storage.
    if (after.stage.at === 'refused') store.remove(id)
    const isStored = after.stage.at === 'refused' || store.put(after)
    // If the request cannot be stored, the wallet is not asked: after a reload the request would be forgotten.
    if (!isStored && after.stage.at === 'asking') return stop({ kind: 'not-kept' })
    unstored = isStored ? null : after
    onChange(after, isStored)
    reportSent()
    return after
  }

  /** Tells the server of each transaction that it was not told of by this page. What fails is tried at the next call. */
  function reportSent(): void {
    const payment = current()
    if (!payment || isEnded(payment)) return
    for (const { hash } of payment.sent) {
      if (reported.has(hash)) continue
      reported.add(hash)
      void selectPurposeRules(payment.intent)
        .reportSent(hash)
        .then((isTold) => isTold || reported.delete(hash))
    }
  }

  /** Pauses until the member's next press. `problem` says why; null if there is nothing to report. */
  const stop = (problem: PaymentProblem | null): Payment | null => apply({ type: 'stopped', problem, now: now() })

  const otherPayments = (): Payment[] => store.all().filter(({ intent }) => intent.id !== id)
  const takenByOthers = (): ReadonlySet<Hex> =>
    new Set([...store.claimed(), ...otherPayments().flatMap(({ sent }) => sent.map(({ hash }) => hash))])

  /**
   * True if another payment has claimed the transaction while the app searched, or may be about to: the wallet is open
   * for an equal payment and may have sent it.
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
    reportSent,
    /** The transactions that belong to other payments of the account. */
    takenByOthers,
    /** Tries again to store what could not be stored before. */
    retryStoring(): void {
      if (!unstored || !store.put(unstored)) return
      onChange(unstored, true)
      unstored = null
    },
    discardUnstored(): void {
      unstored = null
    },
  }
}
