import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { type DecisionBody, HIDDEN_VERBS, parseBody } from './decision.ts'
import { findValidSignatures, type PoolIdentity, SIGNATURES_NEEDED } from './operator-chain.ts'
import {
  readOperatorChain,
  type SignatureColumns,
  signatureColumns,
  toSignatures,
  verifyDecision,
} from './operators.ts'
import { readWithdrawals } from './withdrawals.ts'

export type ListedDecision = {
  readonly id: bigint
  readonly at: Date
  readonly expiresAt: Date
  readonly isExpired: boolean
  /** Its first signer has withdrawn it while it was not complete. */
  readonly isWithdrawn: boolean
  /** Null if the text is no decision: somebody without a key wrote it. */
  readonly body: DecisionBody | null
  /** A present or former operator has signed it, for this pool, with the subject, verb and expiry that are stored. */
  readonly isVerified: boolean
  /** Who signed, and when: present and former operators whose signature is valid. */
  readonly signers: readonly { readonly name: string; readonly at: Date; readonly isOperator: boolean }[]
  /** It is a link of the operator chain. */
  readonly isLink: boolean
  /** Null while nothing came of it, and for decisions that are not carried out once, such as a pause. */
  readonly outcome: { readonly at: Date; readonly refusal: string | null } | null
}

/** The operators' role cannot read these rows. Here they are left out for the owner's role, too. */
const isHalfSignedPayment = sql`(
  decision.verb = any(${HIDDEN_VERBS}) and decision.expires_at > lode.now()
  and (select count(*) from lode.decision_signature as given where given.decision_id = decision.id) < 2)`

type Row = {
  id: bigint
  at: Date
  expires_at: Date
  is_expired: boolean
  is_link: boolean
  subject: string
  verb: string
  text: string
  outcome_at: Date | null
  refusal: string | null
} & SignatureColumns

/**
 * The trail: all decisions before this one, or only the one with this id, newest first, with their signers and their
 * results. Half-signed payments are left out, see readOpenDecisions().
 */
export async function readDecisions(
  db: Database,
  pool: PoolIdentity,
  { before = null, id = null, limit }: { before?: bigint | null; id?: bigint | null; limit: number },
): Promise<ListedDecision[]> {
  const { chain } = await readOperatorChain(db, pool, null)
  const { rows } = await sql<Row>`
    select decision.id, decision.at, decision.expires_at, decision.expires_at <= lode.now() as is_expired,
           decision.subject, decision.verb, decision.body as text,
           exists (select from lode.operator_link as link where link.decision_id = decision.id) as is_link, outcome.at as outcome_at, outcome.reason as refusal, ${signatureColumns}
    from lode.decision left join lode.decision_outcome as outcome on outcome.decision_id = decision.id
    where (${before}::bigint is null or decision.id < ${before})
      and (${id}::bigint is null or decision.id = ${id}) and not ${isHalfSignedPayment}
    order by decision.id desc limit ${limit}`.execute(db)
  const withdrawals = await readWithdrawals(
    db,
    pool,
    rows.map(({ id }) => id),
  )
  return rows.map(
    ({ id, at, expires_at, is_expired, is_link, subject, verb, text, outcome_at, refusal, ...columns }) => {
      const body = parseBody(text)
      const known = chain?.allOperators ?? (body?.verb === 'init' ? body.operators : [])
      const signatures = toSignatures(columns)
      const stored = { id, subject, verb, text, expiresAt: expires_at, signatures }
      const signers = findValidSignatures(text, signatures, known).map((signature) => ({
        name: known.find(({ key }) => key === signature.operator)?.name ?? signature.operator,
        at: signature.at,
        isOperator: (chain?.operators ?? known).some(({ key }) => key === signature.operator),
      }))
      return {
        id,
        at,
        expiresAt: expires_at,
        isExpired: is_expired,
        isLink: is_link,
        isWithdrawn: withdrawals.get(id) === 'valid' && !outcome_at && signers.length < SIGNATURES_NEEDED,
        body,
        isVerified: verifyDecision(stored, pool, known) !== null,
        signers,
        outcome: outcome_at && { at: outcome_at, refusal },
      }
    },
  )
}
