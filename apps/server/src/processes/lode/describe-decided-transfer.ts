import { sql } from 'kysely'
import { readDecisions } from '../../modules/operators/index.ts'
import { deriveTransferProgress, type LoadedTransfer, operatorsNeeded } from '../../modules/transfer/index.ts'
import { describeTransferState } from './describe-transfer-wait.ts'
import { readOperatorNames } from './operator-names.ts'
import { formatUtc } from './times.ts'
import type { PoolContext } from './with-database.ts'

/** Why nobody can approve or reject this transfer, for an operator who tries to: it is not under review. */
export async function describeDecidedTransfer(context: PoolContext, transfer: LoadedTransfer): Promise<string> {
  const { row } = transfer
  const { state } = deriveTransferProgress(transfer)
  const on = row.endedAt ? ` on ${formatUtc(row.endedAt)}` : ''
  switch (state) {
    case 'rejected':
      return `This transfer was rejected${await describeRejection(context, row.id, on)}.`
    case 'cancelled':
      return `This transfer was canceled by the member${on}.`
    case 'reverted':
      return `This transfer was refused by the token${on}; the money is back in the balance.`
    case 'final':
      return `This transfer was paid${on}.`
    case 'signed':
    case 'broadcast':
    case 'mined':
      return `This transfer is signed already: ${describeTransferState(state)}.`
    case 'requested':
    case 'held':
    case 'approved':
      return describeApproval(context, transfer)
  }
}

async function describeRejection({ db, pool }: PoolContext, id: string, on: string): Promise<string> {
  const { rows } = await sql<{ id: bigint }>`
    select decision.id
    from lode.decision join lode.decision_outcome as outcome on outcome.decision_id = decision.id
    where decision.subject = ${`transfer:${id}`} and decision.verb = 'reject' and outcome.reason is null
    order by decision.id limit 1`.execute(db)
  const [row] = rows
  if (!row) return on
  const [decision] = await readDecisions(db, pool, { id: row.id, limit: 1 })
  return `${describeSigners(decision?.signers.map(({ name }) => name) ?? [])}${on} (decision ${row.id})`
}

const describeSigners = (names: readonly string[]): string => (names.length > 0 ? ` by ${names.join(' and ')}` : '')

async function describeApproval({ db, pool }: PoolContext, transfer: LoadedTransfer): Promise<string> {
  const needed = operatorsNeeded(transfer.row, transfer.reviewSizes)
  const approval = transfer.decisions.find(({ verb, signers }) => verb === 'approve' && signers.length >= needed)
  if (!approval) return 'It is not under review: there is nothing to decide.'
  const nameOf = await readOperatorNames(db, pool)
  const { id, signers, signedAt } = approval
  return `This transfer was approved${describeSigners(signers.map(nameOf))} on ${formatUtc(signedAt)} (decision ${id}), and is not under review.`
}
