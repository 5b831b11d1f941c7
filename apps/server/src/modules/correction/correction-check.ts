import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import type { PostedTransaction } from '../ledger/index.ts'
import type { Operators, VerifiedDecision } from '../operators/index.ts'
import { isCorrectionBody, REVERSAL_NOTICE_MS } from './rules.ts'

/**
 * Checks a write-off, a loss that the pool replaced, or a reversal in the ledger: two of the operators at that time must
 * have signed exactly this correction. Returns what is wrong as text, or null. The database compares the transaction with the record
 * of the correction, but it cannot verify a signature. The signer calls this with operators whose signatures it verifies.
 */
export const createCorrectionCheck =
  (operators: Operators) =>
  async (db: Database, { key, postings, postedAt }: PostedTransaction): Promise<string | null> => {
    const { rows } = await sql<CorrectionRow>`
      select decision_id, kind, asset, amount, place, arrived, tx, log_index, block_number, decided_at,
             answered.member as answered_member, answered.key as answered_key
      from lode.correction left join lode.ledger_transaction answered on answered.id = correction.answers
      where correction.key = ${key}`.execute(db)
    const [row] = rows
    if (!row) return 'there is no such correction'
    const decision = await operators.readCarriedOut(db, row.decision_id, row.decided_at)
    if (!decision.ok) return decision.error
    const { body, signedAt } = decision.value
    if (row.kind === 'reverse') return findWrongReversal(row, body, postedAt.getTime() - signedAt.getTime())
    const isSame =
      isCorrectionBody(body) &&
      body.symbol === row.asset &&
      body.amount === row.amount &&
      body.verb !== 'reverse' &&
      (body.verb === 'write-off'
        ? row.kind === 'write-off' &&
          body.from === row.place &&
          body.arrived === row.arrived &&
          body.cause === causeOf(row)
        : row.kind === 'fund')
    const loss = postings.filter(({ kind }) => kind === 'pool:loss').map(({ asset, amount }) => `${amount} ${asset}`)
    const expected = `${row.kind === 'fund' ? '' : '-'}${row.amount} ${row.asset}`
    return isSame && loss.join() === expected ? null : 'the operators decided about something else'
  }

function findWrongReversal(row: CorrectionRow, body: VerifiedDecision['body'], noticeMs: number): string | null {
  if (noticeMs < REVERSAL_NOTICE_MS) return 'the member was told less than 72 hours before'
  return isCorrectionBody(body) &&
    body.verb === 'reverse' &&
    body.key === row.answered_key &&
    body.member === String(row.answered_member) &&
    body.symbol === row.asset &&
    body.amount === row.amount
    ? null
    : 'the operators decided to undo something else'
}

type CorrectionRow = {
  decision_id: bigint
  kind: 'write-off' | 'fund' | 'reverse'
  answered_member: bigint | null
  answered_key: string | null
  asset: string
  amount: string
  place: string | null
  arrived: string | null
  tx: Buffer | null
  log_index: number | null
  block_number: bigint | null
  decided_at: Date
}

const causeOf = ({ tx, log_index, block_number }: CorrectionRow): string =>
  tx ? `0x${tx.toString('hex')}:${log_index}` : `block:${block_number}`
