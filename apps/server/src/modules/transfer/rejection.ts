import { ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { post } from '../ledger/index.ts'
import type { VerifiedDecision } from '../operators/index.ts'
import { readPayouts } from '../payout/index.ts'
import { type Judging, readKnown, transferOf } from './known.ts'
import { releasePosting } from './postings.ts'
import { isAbout, operatorsNeeded, standingOf } from './rules.ts'

/**
 * Carries out a verified rejection: amount and fee are available again at once. Returns the reason in words if it
 * cannot, or null if another signature is needed first. Operators can reject a transfer only while they review it.
 */
export async function rejectTransfer(
  inside: Database,
  rejection: VerifiedDecision,
  judging: Judging,
): Promise<Result<null, string> | null> {
  const { body } = rejection
  const id = transferOf(body.subject)
  if (id === null || body.verb !== 'reject') return refused('it is no rejection of a transfer')
  const rows = await readPayouts(inside, sql`where id = ${id} and kind = 'transfer'`)
  const known = (await readKnown(inside, rows, judging)).get(id)
  if (!known || known.row.memberId === null) return refused('there is no such transfer')
  if (!isAbout(rejection, known.row)) return refused('its symbol, amount or address are not those of the transfer')
  const { cancellable, holds } = standingOf(known)
  if (!cancellable) return refused('the transfer is signed, or has ended')
  if (!holds.some(({ reason }) => reason === 'review-size' || reason === 'review-account'))
    return refused('the transfer is not under review')
  if (rejection.operators.length < operatorsNeeded(known.row, known.sizes)) return null

  const { rows: answers } = await sql<{ answer: 'ok' | 'too-late' | 'unknown' }>`
    select lode.reject_transfer(${id}, ${body.note}) as answer`.execute(inside)
  if (answers[0]?.answer !== 'ok') return refused('the transfer is signed, or has ended')
  const [outcome] = await post(inside, [releasePosting({ ...known.row, memberId: known.row.memberId })])
  if (outcome?.outcome !== 'posted') throw new Error(`the release of transfer ${id} is ${outcome?.outcome}`)
  return ok(null)
}
