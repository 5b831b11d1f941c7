import { type Asset, units } from '@lode/kernel'
import { amountOf, type Transaction } from '../ledger/index.ts'
import type { PayoutRow } from '../payout/index.ts'

type Transfer = Pick<PayoutRow, 'id' | 'asset' | 'amount' | 'fee'> & { readonly memberId: bigint }

/** The ledger transaction that freezes amount and fee together, in one log line. */
export function freezePosting(transfer: Transfer): Transaction {
  const { id, memberId: member } = transfer
  const { available, frozenOut, ...moved } = amountAndAccounts(transfer)
  return {
    type: 'transferRequest',
    member,
    key: `transfer:${id}`,
    moves: [{ ...moved, from: available, to: frozenOut }],
  }
}

/** The ledger transaction that unfreezes amount and fee of a transfer that will not be paid. */
export function unfreezePosting(transfer: Transfer): Transaction {
  const { id, memberId: member } = transfer
  const { available, frozenOut, ...moved } = amountAndAccounts(transfer)
  return {
    type: 'transferRelease',
    member,
    key: `transfer:${id}:release`,
    moves: [{ ...moved, from: frozenOut, to: available }],
  }
}

function amountAndAccounts({ id, memberId: member, asset, amount, fee }: Transfer) {
  const line = { type: 'transferOut', operation: id, fee: units<Asset>(asset, fee) } as const
  return {
    ...amountOf<Asset>(asset, amount + fee),
    available: { kind: 'available', member, line },
    frozenOut: { kind: 'frozenOut', member, line },
  } as const
}
