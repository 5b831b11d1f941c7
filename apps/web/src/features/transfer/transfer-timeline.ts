import { assertNever } from '@lode/kernel'
import { orderStatuses, type TransferHoldReason, type TransferState } from '@lode/wire'
import type { TransferOrder } from './transfer-press.ts'

type RowName = 'requested' | 'held' | 'approved' | 'signed' | 'broadcast' | 'mined' | 'final'
type FailedEnd = 'rejected' | 'reverted'
type End = FailedEnd | 'cancelled'

/** A row of the timeline, before it gets its text. */
export type TimelineRow =
  | { readonly row: RowName; readonly state: 'done' | 'current' | 'waiting'; readonly at: string | null }
  | { readonly row: 'cancelled'; readonly state: 'done'; readonly at: string | null }
  | { readonly row: FailedEnd; readonly state: 'failed'; readonly at: string | null }

const ROW_ORDER = [
  'requested',
  'held',
  'approved',
  'signed',
  'broadcast',
  'mined',
  'final',
] as const satisfies RowName[]

/**
 * For each state, the row of the step that the transfer waits for. It is not the step that was completed last. The row
 * `mined` has the title "Confirming" and stays current until the transfer is final.
 */
const currentRows: Readonly<Record<Exclude<TransferState, 'final' | End>, RowName>> = {
  requested: 'approved',
  held: 'held',
  approved: 'signed',
  signed: 'broadcast',
  broadcast: 'mined',
  mined: 'mined',
}

/**
 * The rows of a transfer from request to arrival. "Held" is shown only if the transfer is held, or if the pool reports
 * a time for it. A transfer that ended in another way shows the rows for which the pool reports a time, and its end.
 */
export function buildTimeline(order: Pick<TransferOrder, 'state' | 'queue' | 'steps' | 'requestedAt'>): TimelineRow[] {
  const { state, queue, steps, requestedAt } = order
  const timeOf = (wanted: TransferState): string | null =>
    steps.filter((step) => step.state === wanted).at(-1)?.at ?? (wanted === 'requested' ? requestedAt : null)
  const wasHeld = timeOf('held') !== null

  switch (state) {
    case 'rejected':
    case 'cancelled':
    case 'reverted': {
      const before = ROW_ORDER.filter((row) => timeOf(row) !== null)
      return [
        ...before.map((row) => ({ row, state: 'done' as const, at: timeOf(row) })),
        // A transfer that its member canceled is not a failure.
        state === 'cancelled'
          ? { row: state, state: 'done', at: timeOf(state) }
          : { row: state, state: 'failed', at: timeOf(state) },
      ]
    }
    case 'final':
      return ROW_ORDER.filter((row) => row !== 'held' || wasHeld).map((row) => ({
        row,
        state: 'done',
        at: timeOf(row),
      }))
    case 'requested':
    case 'held':
    case 'approved':
    case 'signed':
    case 'broadcast':
    case 'mined': {
      const current = state === 'approved' && queue !== null ? 'approved' : currentRows[state]
      const currentIndex = ROW_ORDER.indexOf(current)
      return ROW_ORDER.filter((row) => row !== 'held' || wasHeld || state === 'held').map((row) => {
        const index = ROW_ORDER.indexOf(row)
        return index < currentIndex
          ? { row, state: 'done', at: timeOf(row) }
          : { row, state: index === currentIndex ? 'current' : 'waiting', at: null }
      })
    }
    default:
      return assertNever(state)
  }
}

/**
 * Reviews by operators and failed checks of the signer. Every other hold ends at a fixed time. Only the hold of a reset
 * can end earlier: when the member cancels the reset.
 */
const isReview = (reason: TransferHoldReason): boolean =>
  reason === 'review-size' || reason === 'review-account' || reason === 'check'

/** The state of a transfer in one word. A held one may be in review, an approved one queued or late. */
export type ShownTransferState = Exclude<TransferState, 'requested'> | 'review' | 'queued' | 'late'

export function shownTransferState({
  state,
  holds,
  queue,
}: Pick<TransferOrder, 'state' | 'holds' | 'queue'>): ShownTransferState {
  if (state === 'held' && holds.some(({ reason }) => isReview(reason))) return 'review'
  if (state === 'approved' && queue !== null) return queue.late ? 'late' : 'queued'
  return state === 'requested' ? 'approved' : state
}

/** When the last hold of a transfer ends. Null if nothing holds it, or if operators or a check must decide. */
export function findHoldEnd(order: Pick<TransferOrder, 'state' | 'holds' | 'queue'>): string | null {
  if (shownTransferState(order) !== 'held') return null
  const ends = order.holds.map(({ endsAt }) => endsAt)
  return ends.includes(null) ? null : (ends.sort().at(-1) ?? null)
}

export const isEnded = ({ status }: Pick<TransferOrder, 'status'>): boolean =>
  status === orderStatuses.success || status === orderStatuses.failed

/**
 * How often the shown transfer is read again: often while it progresses, rarely while it is held, never after its end.
 */
export function pollInterval(order: Pick<TransferOrder, 'state' | 'status'>): number | false {
  if (isEnded(order)) return false
  return order.state === 'held' ? 15_000 : 3_000
}
