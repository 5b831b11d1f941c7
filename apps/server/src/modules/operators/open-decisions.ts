import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { type DecisionBody, HIDDEN_VERBS, type Operator, parseBody, type Verb } from './decision.ts'
import { type OperatorChain, type PoolIdentity, SIGNATURES_NEEDED } from './operator-chain.ts'
import {
  readOperatorChain,
  type SignatureColumns,
  signatureColumns,
  toSignatures,
  type VerifiedDecision,
  verifyDecision,
} from './operators.ts'
import { isSuperseded } from './pause.ts'

/** A decision that needs another signature. */
export type OpenDecision = {
  readonly id: bigint
  readonly verb: Verb
  /** The operators who have signed, the first one first. */
  readonly signers: readonly Operator[]
  readonly signedAt: Date
  readonly expiresAt: Date
  /** What for, in the words of the first operator. Null if this kind of decision has no such words. */
  readonly purpose: string | null
  /** Null for a payment, a listed address and a return: the second operator types amount and address. */
  readonly body: DecisionBody | null
  /** The SHA-256 of its text. */
  readonly textHash: string
}

/**
 * All decisions that need another signature and can still get it, the oldest first. Decisions about a transfer are left
 * out, because only the transfer module knows how many operators must sign them.
 */
export async function readOpenDecisions(db: Database, pool: PoolIdentity): Promise<OpenDecision[]> {
  const { chain } = await readOperatorChain(db, pool, null)
  const open = [...(await readVisible(db, pool, chain)), ...(await readHidden(db, chain))]
  return open.toSorted((one, other) => Number(one.id - other.id))
}

type VisibleRow = { id: bigint; subject: string; verb: string; text: string; hash: Buffer; expires_at: Date }

async function readVisible(db: Database, pool: PoolIdentity, chain: OperatorChain | null): Promise<OpenDecision[]> {
  const { rows } = await sql<VisibleRow & SignatureColumns>`
    select decision.id, decision.subject, decision.verb, decision.body as text, decision.body_hash as hash,
           decision.expires_at, ${signatureColumns}
    from lode.decision
    where decision.expires_at > lode.now() and isfinite(decision.expires_at)
      and decision.verb <> all(${[...HIDDEN_VERBS, 'approve', 'reject', 'end-sessions', 'withdraw']})
      and not exists (select from lode.decision_outcome as outcome where outcome.decision_id = decision.id)
      and not lode.is_withdrawn(decision.id)
    order by decision.id`.execute(db)
  const stored = rows.map((row) => ({ ...row, expiresAt: row.expires_at, signatures: toSignatures(row) }))
  const verified = stored.flatMap((decision) => {
    const body = parseBody(decision.text)
    const operators = chain?.operators ?? (body?.verb === 'init' ? body.operators : [])
    const found = verifyDecision(decision, pool, operators)
    return found ? [{ found, operators, hash: decision.hash }] : []
  })
  const all = verified.map(({ found }) => found)
  return verified
    .filter(({ found }) => found.signers.length < signaturesNeeded(found) && canStillBeSigned(found, chain, all))
    .map(({ found, operators, hash }) => ({
      id: found.id,
      verb: found.verb,
      signers: namesOf(found.signers, operators),
      signedAt: found.firstSignedAt,
      expiresAt: found.expiresAt,
      purpose: 'note' in found.body ? found.body.note : null,
      body: found.body,
      textHash: hash.toString('hex'),
    }))
}

function signaturesNeeded({ body }: VerifiedDecision): number {
  if (body.verb === 'pause') return 1
  return body.verb === 'init' ? body.operators.length : SIGNATURES_NEEDED
}

/** False if the operators have changed since, or if a later pause made a resume useless. */
function canStillBeSigned(
  decision: VerifiedDecision,
  chain: OperatorChain | null,
  all: readonly VerifiedDecision[],
): boolean {
  const { body } = decision
  switch (body.verb) {
    case 'init':
      return chain === null
    case 'add':
    case 'remove':
      return body.before === chain?.head.hash
    case 'publish':
      return body.under === chain?.head.hash
    case 'resume':
      return !isSuperseded(decision, all)
    default:
      return true
  }
}

type HiddenRow = { id: bigint; verb: Verb; purpose: string; body_hash: Buffer; at: Date; expires_at: Date }

/** The signatures of these are not verified here, because nobody is shown the text that was signed. */
async function readHidden(db: Database, chain: OperatorChain | null): Promise<OpenDecision[]> {
  const { rows } = await sql<HiddenRow & { operators: Buffer[] }>`
    select decision.id, decision.verb, decision.purpose, decision.body_hash, decision.at, decision.expires_at,
           (select coalesce(array_agg(given.operator order by given.place), '{}')
            from lode.decision_signature as given where given.decision_id = decision.id) as operators
    from lode.half_signed_payments() as decision where not lode.is_withdrawn(decision.id)`.execute(db)
  return rows.flatMap(({ id, verb, purpose, body_hash, at, expires_at, operators }) => {
    const signers = namesOf(
      operators.map((key) => key.toString('hex')),
      chain?.operators ?? [],
    )
    if (signers.length === 0) return []
    const textHash = body_hash.toString('hex')
    return [{ id, verb, signers, signedAt: at, expiresAt: expires_at, purpose, body: null, textHash }]
  })
}

/** Present operators only: the signature of a removed one does not count. */
const namesOf = (keys: readonly string[], operators: readonly Operator[]): Operator[] =>
  keys.flatMap((key) => operators.find((operator) => operator.key === key) ?? [])

/** The stored texts of half-signed payments, listings and returns that have exactly these terms. */
export async function findHiddenDecisions(
  db: Database,
  verb: Verb,
  terms: { readonly symbol?: string; readonly amount?: string; readonly address?: string },
) {
  const { rows } = await sql<{ id: bigint; subject: string; text: string; expires_at: Date } & SignatureColumns>`
    select decision.id, decision.subject, decision.body as text, decision.expires_at, ${signatureColumns}
    from lode.find_half_signed_payment(
      ${verb}, ${terms.symbol ?? null}, ${terms.amount ?? null}, ${Buffer.from(terms.address?.slice(2) ?? '', 'hex')})
      as decision
    where not lode.is_withdrawn(decision.id) order by decision.id`.execute(db)
  return rows.map((row) => ({ ...row, verb, expiresAt: row.expires_at, signatures: toSignatures(row) }))
}
