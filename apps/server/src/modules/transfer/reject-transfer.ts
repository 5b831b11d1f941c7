import { ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { post } from '../ledger/index.ts'
import type { VerifiedDecision } from '../operators/index.ts'
import { readPayouts } from '../payout/index.ts'
import { loadTransfers, type PlansAndOperators, transferIdOf } from './load-transfers.ts'
import { unfreezePosting } from './postings.ts'
import { deriveTransferProgress, matchesTransfer, operatorsNeeded } from './rules.ts'

/**
 * Carries out a verified rejection: amount and fee become available again at once. Returns the reason as text if the
 * rejection cannot be carried out, or null if it needs another signature first. Operators can reject a transfer only
 * while it is under review.
 */
export async function rejectTransfer(
  trx: Database,
  rejection: VerifiedDecision,
  context: PlansAndOperators,
): Promise<Result<null, string> | null> {
  const { body } = rejection
  const id = transferIdOf(body.subject)
  if (id === null || body.verb !== 'reject') return refused('the decision does not reject a transfer')
  const rows = await readPayouts(trx, sql`where id = ${id} and kind = 'transfer'`)
  const transfer = (await loadTransfers(trx, rows, context)).get(id)
  if (!transfer || transfer.row.memberId === null) return refused('there is no such transfer')
  if (!matchesTransfer(rejection, transfer.row))
    return refused('the symbol, amount or address of the decision differs from the transfer')
  const { cancellable, holds } = deriveTransferProgress(transfer)
  if (!cancellable) return refused('the transfer is signed, or has ended')
  if (!holds.some(({ reason }) => reason === 'review-size' || reason === 'review-account'))
    return refused('the transfer is not under review')
  if (rejection.signers.length < operatorsNeeded(transfer.row, transfer.reviewSizes)) return null

  const { rows: answers } = await sql<{ answer: 'ok' | 'too-late' | 'unknown' }>`
    select lode.reject_transfer(${id}, ${body.note}) as answer`.execute(trx)
  if (answers[0]?.answer !== 'ok') return refused('the transfer is signed, or has ended')
  const [outcome] = await post(trx, [unfreezePosting({ ...transfer.row, memberId: transfer.row.memberId })])
  if (outcome?.outcome !== 'posted')
    throw new Error(`the ledger could not unfreeze the money of transfer ${id}: ${outcome?.outcome}`)
  return ok(null)
}
