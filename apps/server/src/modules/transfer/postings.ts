import { units } from '@lode/kernel'
import type { Transaction } from '../ledger/index.ts'
import type { PayoutRow } from '../payout/index.ts'

type Transfer = Pick<PayoutRow, 'id' | 'asset' | 'amount' | 'fee'> & { readonly memberId: bigint }

/** Amount and fee are put aside at once, under one line of the log. */
export const requestPosting = (transfer: Transfer): Transaction =>
  moved(transfer, { type: 'transferRequest', key: `transfer:${transfer.id}`, from: 'available', to: 'frozenOut' })

/** And both come back where it is not paid. */
export const releasePosting = (transfer: Transfer): Transaction =>
  moved(transfer, {
    type: 'transferRelease',
    key: `transfer:${transfer.id}:release`,
    from: 'frozenOut',
    to: 'available',
  })

type Move = {
  type: 'transferRequest' | 'transferRelease'
  key: string
  from: 'available' | 'frozenOut'
  to: 'available' | 'frozenOut'
}

function moved({ id, memberId: member, asset, amount, fee }: Transfer, { type, key, from, to }: Move): Transaction {
  const line = { type: 'transferOut', operation: id, fee: units(asset, fee) }
  const move = {
    ...{ asset, amount: units(asset, amount + fee) },
    ...{ from: { kind: from, member, line }, to: { kind: to, member, line } },
  }
  // That asset and accounts fit together the ledger checks as it posts; the compiler cannot follow it by asset.
  return { type, member, key, moves: [move] } as unknown as Transaction
}
