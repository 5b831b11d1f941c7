import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import type { Operator } from './decision.ts'
import type { PoolIdentity } from './operator-chain.ts'
import {
  hasSignatureSql,
  readOperatorChain,
  type SignatureColumns,
  signatureColumns,
  toSignatures,
  type VerifiedDecision,
  verifyDecision,
} from './operators.ts'

/** A decision that has not expired, and whether it was carried out or refused for good. */
export type SignedByOperator = VerifiedDecision & { readonly hasOutcome: boolean }

type Row = {
  id: bigint
  subject: string
  verb: string
  text: string
  expires_at: Date
  has_outcome: boolean
} & SignatureColumns

/** The newest are read, so that a flood of invalid rows costs little. */
const MAX_READ = 1_000

/**
 * The decisions that this operator has signed and that have not expired, the oldest first. Half-signed payments,
 * addresses and returns are left out, because the operators' role cannot read them.
 */
export async function readSignedBy(
  db: Database,
  pool: PoolIdentity,
  operator: Operator,
): Promise<{ readonly signed: readonly SignedByOperator[]; readonly isCut: boolean }> {
  const { chain } = await readOperatorChain(db, pool, null)
  const { rows } = await sql<Row>`
    select decision.id, decision.subject, decision.verb, decision.body as text, decision.expires_at,
           exists (select from lode.decision_outcome where decision_id = decision.id) as has_outcome,
           ${signatureColumns}
    from lode.decision
    where decision.expires_at > lode.now() and isfinite(decision.expires_at) and ${hasSignatureSql([operator])}
    order by decision.id desc limit ${MAX_READ}`.execute(db)
  const signed = rows.toReversed().flatMap(({ id, subject, verb, text, expires_at, has_outcome, ...columns }) => {
    const stored = { id, subject, verb, text, expiresAt: expires_at, signatures: toSignatures(columns) }
    const verified = verifyDecision(stored, pool, chain?.operators ?? [])
    return verified?.signers.includes(operator.key) ? [{ ...verified, hasOutcome: has_outcome }] : []
  })
  return { signed, isCut: rows.length === MAX_READ }
}
