import type { QueueReason, TransferHoldReason, TransferState } from '@lode/wire'
import {
  deriveTransferProgress,
  isOverdue,
  type LoadedTransfer,
  type TransferProgress,
} from '../../modules/transfer/index.ts'
import { formatUtc } from './times.ts'

const holdWords: Readonly<Record<Exclude<TransferHoldReason, 'check'>, string>> = {
  'address-new': 'held, because its output address is new',
  'device-new': 'held, because the member’s browser is new',
  'password-changed': 'held, because the fund password was changed',
  reset: 'held, because of a reset of the fund password',
  'own-lock': 'held, because the member locked transfers',
  'review-size': 'under review, because it is large',
  'review-account': 'under review, because the account is disabled',
}

const queueWords: Readonly<Record<QueueReason, string>> = {
  paused: 'the end of the pause',
  cap: 'room under the daily cap',
  float: 'enough money in the vault',
  chain: 'the ledger and the chain to agree again',
  missing: 'what is missing to be replaced',
  'signer-away': 'the signer to run again',
  'decision-not-obeyed': 'the signer to obey the operators',
  'others-first': 'earlier transfers',
  unknown: 'a reason that is not known',
}

const stateWords: Readonly<Record<TransferState, string>> = {
  requested: 'asked for',
  held: 'not signed yet',
  approved: 'not signed yet',
  signed: 'signed, and not sent yet',
  broadcast: 'sent to the chain',
  mined: 'in a block that is not final yet',
  final: 'paid',
  rejected: 'rejected by the operators; the money is back in the balance',
  cancelled: 'canceled; the money is back in the balance',
  reverted: 'refused by the token; the money is back in the balance',
}

export const describeTransferState = (state: TransferState): string => stateWords[state]

/** What a transfer waits for that is not signed yet. */
export const describeWait = (transfer: LoadedTransfer): string =>
  describeReasons(deriveTransferProgress(transfer), {
    heldCheck: transfer.row.heldCheck,
    overdue: isOverdue(transfer),
  })

export function describeReasons(
  { holds, queue }: Pick<TransferProgress, 'holds' | 'queue'>,
  { heldCheck, overdue }: { readonly heldCheck: string | null; readonly overdue: boolean },
): string {
  const reasons = [
    ...holds.map(({ reason, endsAt }) => {
      const words =
        reason === 'check'
          ? `held by a check of the signer: ${heldCheck ?? 'its version of the plan is not known'}`
          : holdWords[reason]
      if (reason === 'review-size' || reason === 'review-account') return `${words}${describeReviewEnd(endsAt)}`
      return endsAt ? `${words}, until ${formatUtc(endsAt)}` : words
    }),
    ...(queue ? [`waits${queue.late ? ' longer than usual' : ''} for ${queueWords[queue.reason]}`] : []),
    ...(overdue ? ['OVERDUE'] : []),
  ]
  return reasons.length > 0 ? reasons.join('; ') : 'will be signed next'
}

/** A review without an end is above the plan's `decisionAbove`. */
const describeReviewEnd = (endsAt: Date | null): string =>
  endsAt === null
    ? ', and two operators must approve or reject it'
    : `, until ${formatUtc(endsAt)}; if no operator rejects it by then, it is paid`
