import { assertNever } from '@lode/kernel'
import { orderStatuses, type TransferHoldReason, type TransferState } from '@lode/wire'
import type { TransferOrder } from './intent.ts'

type Row = 'requested' | 'held' | 'approved' | 'signed' | 'broadcast' | 'mined' | 'final'
type Failed = 'rejected' | 'reverted'
type End = Failed | 'cancelled'

/** A row of the timeline, before it gets its text. */
export type TimelineRow =
  | { readonly row: Row; readonly state: 'done' | 'current' | 'waiting'; readonly at: string | null }
  | { readonly row: 'cancelled'; readonly state: 'done'; readonly at: string | null }
  | { readonly row: Failed; readonly state: 'failed'; readonly at: string | null }

const PATH = ['requested', 'held', 'approved', 'signed', 'broadcast', 'mined', 'final'] as const satisfies Row[]

/** The current row in each state: what the transfer waits for, not what it reached last. */
const alive: Readonly<Record<Exclude<TransferState, 'final' | End>, Row>> = {
  requested: 'approved',
  held: 'held',
  approved: 'signed',
  signed: 'broadcast',
  broadcast: 'mined',
  mined: 'mined',
}

/**
 * The rows of a transfer from request to arrival. "Held" is shown only if the transfer is or was held. A transfer that
 * ended in another way shows the rows up to then, and its end.
 */
export function timelineOf(order: Pick<TransferOrder, 'state' | 'queue' | 'steps' | 'requestedAt'>): TimelineRow[] {
  const { state, queue, steps, requestedAt } = order
  const timeOf = (wanted: TransferState): string | null =>
    steps.filter((step) => step.state === wanted).at(-1)?.at ?? (wanted === 'requested' ? requestedAt : null)
  const wasHeld = timeOf('held') !== null

  switch (state) {
    case 'rejected':
    case 'cancelled':
    case 'reverted': {
      const before = PATH.filter((row) => timeOf(row) !== null)
      return [
        ...before.map((row) => ({ row, state: 'done' as const, at: timeOf(row) })),
        // A transfer that its member canceled is not a failure.
        state === 'cancelled'
          ? { row: state, state: 'done', at: timeOf(state) }
          : { row: state, state: 'failed', at: timeOf(state) },
      ]
    }
    case 'final':
      return PATH.filter((row) => row !== 'held' || wasHeld).map((row) => ({ row, state: 'done', at: timeOf(row) }))
    case 'requested':
    case 'held':
    case 'approved':
    case 'signed':
    case 'broadcast':
    case 'mined': {
      const current = state === 'approved' && queue !== null ? 'approved' : alive[state]
      const place = PATH.indexOf(current)
      return PATH.filter((row) => row !== 'held' || wasHeld || state === 'held').map((row) => {
        const at = PATH.indexOf(row)
        return at < place
          ? { row, state: 'done', at: timeOf(row) }
          : { row, state: at === place ? 'current' : 'waiting', at: null }
      })
    }
    default:
      return assertNever(state)
  }
}

/** Holds that operators decide. Every other hold ends by time, which nobody can shorten. */
const isReview = (reason: TransferHoldReason): boolean =>
  reason === 'review-size' || reason === 'review-account' || reason === 'check'

/** The state of a transfer in one word. A held one may be in review, an approved one queued or late. */
export type Standing = Exclude<TransferState, 'requested'> | 'review' | 'queued' | 'late'

export function standingOf({ state, holds, queue }: Pick<TransferOrder, 'state' | 'holds' | 'queue'>): Standing {
  if (state === 'held' && holds.some(({ reason }) => isReview(reason))) return 'review'
  if (state === 'approved' && queue !== null) return queue.late ? 'late' : 'queued'
  return state === 'requested' ? 'approved' : state
}

export const isEnded = ({ status }: Pick<TransferOrder, 'status'>): boolean =>
  status === orderStatuses.success || status === orderStatuses.failed

/**
 * How often the shown transfer is read again: often while it progresses, rarely while it is held, never after its end.
 */
export function paceOf(order: Pick<TransferOrder, 'state' | 'status'>): number | false {
  if (isEnded(order)) return false
  return order.state === 'held' ? 15_000 : 3_000
}
