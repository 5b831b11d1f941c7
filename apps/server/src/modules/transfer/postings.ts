import { type Asset, units } from '@lode/kernel'
import { amountOf, type Transaction } from '../ledger/index.ts'
import type { PayoutRow } from '../payout/index.ts'

type Transfer = Pick<PayoutRow, 'id' | 'asset' | 'amount' | 'fee'> & { readonly memberId: bigint }

/** Freezes amount and fee at once, under one log line. */
export function requestPosting(transfer: Transfer): Transaction {
  const { id, memberId: member } = transfer
  const { available, frozenOut, ...moved } = sidesOf(transfer)
  return {
    type: 'transferRequest',
    member,
    key: `transfer:${id}`,
    moves: [{ ...moved, from: available, to: frozenOut }],
  }
}

/** Unfreezes both if the transfer is not paid. */
export function releasePosting(transfer: Transfer): Transaction {
  const { id, memberId: member } = transfer
  const { available, frozenOut, ...moved } = sidesOf(transfer)
  return {
    type: 'transferRelease',
    member,
    key: `transfer:${id}:release`,
    moves: [{ ...moved, from: frozenOut, to: available }],
  }
}

function sidesOf({ id, memberId: member, asset, amount, fee }: Transfer) {
  const line = { type: 'transferOut', operation: id, fee: units<Asset>(asset, fee) } as const
  return {
    ...amountOf<Asset>(asset, amount + fee),
    available: { kind: 'available', member, line },
    frozenOut: { kind: 'frozenOut', member, line },
  } as const
}
