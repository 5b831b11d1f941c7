import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import {
  type DecisionBody,
  HIDDEN_VERBS,
  isHiddenVerb,
  type Operator,
  parseBody,
  plainText,
  type Verb,
} from './decision.ts'
import {
  findValidSignatures,
  type OperatorChain,
  type PoolIdentity,
  SIGNATURES_NEEDED,
  type Signature,
} from './operator-chain.ts'
import {
  hasSignatureSql,
  readOperatorChain,
  type SignatureColumns,
  signatureColumns,
  toKeys,
  toSignatures,
  type VerifiedDecision,
  verifyDecision,
} from './operators.ts'
import { isSuperseded } from './pause.ts'
import { readWithdrawals } from './withdrawals.ts'

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
  /** Somebody without the first signer's key has withdrawn it. It can get no signature until `lode operator repair`. */
  readonly isFalselyWithdrawn: boolean
}

/** Only decisions with this verb, and about this subject if there is one. */
type OpenFilter = { readonly verb: Verb; readonly subject?: string }

type FoundDecision = Omit<OpenDecision, 'isFalselyWithdrawn'>

type OpenDecisions = {
  readonly open: readonly OpenDecision[]
  /** There are so many rows that older ones were not read. Operators never begin so many: most of them are invalid. */
  readonly isCut: boolean
}

/**
 * All decisions that need another signature and can still get it, the oldest first, or only those of the filter.
 * Without a filter, decisions about a transfer are left out, because only the transfer module knows how many operators
 * must sign them.
 */
export async function readOpenDecisions(
  db: Database,
  pool: PoolIdentity,
  only: OpenFilter | null = null,
): Promise<OpenDecisions> {
  const { chain } = await readOperatorChain(db, pool, null)
  const visible = only && isHiddenVerb(only.verb) ? NOTHING : await readVisible(db, pool, chain, only)
  const hidden = only && !isHiddenVerb(only.verb) ? NOTHING : await readHidden(db, chain, only?.verb ?? null)
  const found = [...visible.found, ...hidden.found].toSorted((one, other) => Number(one.id - other.id))
  const withdrawals = await readWithdrawals(
    db,
    pool,
    found.map(({ id }) => id),
  )
  const open = found
    .filter(({ id }) => withdrawals.get(id) !== 'valid')
    .map((decision) => ({ ...decision, isFalselyWithdrawn: withdrawals.get(decision.id) === 'false' }))
  return { open, isCut: visible.isCut || hidden.isCut }
}

type Found = { readonly found: readonly FoundDecision[]; readonly isCut: boolean }

const NOTHING: Found = { found: [], isCut: false }

/** The newest are read, so that a flood of invalid rows costs little. half_signed_payments() has the same limit. */
const MAX_OPEN_READ = 1_000

type VisibleRow = { id: bigint; subject: string; verb: string; text: string; hash: Buffer; expires_at: Date }

async function readVisible(
  db: Database,
  pool: PoolIdentity,
  chain: OperatorChain | null,
  only: OpenFilter | null,
): Promise<Found> {
  const { rows } = await sql<VisibleRow & SignatureColumns>`
    select decision.id, decision.subject, decision.verb, decision.body as text, decision.body_hash as hash,
           decision.expires_at, ${signatureColumns}
    from lode.decision
    where decision.expires_at > lode.now() and isfinite(decision.expires_at)
      and ${matchesFilterSql(only)} and ${hasSignatureSql(chain?.operators ?? null)}
      and not exists (select from lode.decision_outcome as outcome where outcome.decision_id = decision.id)
      and not (decision.verb in ('approve-partner', 'reject-partner') and ${isApplicationDecided})
    order by decision.id desc limit ${MAX_OPEN_READ}`.execute(db)
  const stored = rows.map((row) => ({ ...row, expiresAt: row.expires_at, signatures: toSignatures(row) }))
  const verified = stored.flatMap((decision) => {
    const body = parseBody(decision.text)
    const operators = chain?.operators ?? (body?.verb === 'init' ? body.operators : [])
    const found = verifyDecision(decision, pool, operators)
    return found ? [{ found, operators, hash: decision.hash }] : []
  })
  const all = verified.map(({ found }) => found)
  const open = verified
    .filter(({ found }) => only === null || found.verb === only.verb)
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
  return { found: open, isCut: rows.length === MAX_OPEN_READ }
}

/** The first complete decision about an application counts: `lode` takes no signature under another one. */
const isApplicationDecided = sql`exists (
  select from lode.decision as decided join lode.decision_outcome as outcome on outcome.decision_id = decided.id
  where decided.subject = decision.subject and (outcome.reason is null or decided.expires_at > lode.now()))`

/** A resume is read together with the pauses: a later pause makes it useless. */
function matchesFilterSql(only: OpenFilter | null) {
  if (only === null)
    return sql`decision.verb <> all(${[...HIDDEN_VERBS, 'approve', 'reject', 'end-sessions', 'withdraw']})`
  const verbs = only.verb === 'resume' ? ['resume', 'pause'] : [only.verb]
  const isAboutSubject = only.subject === undefined ? sql`true` : sql`decision.subject = ${only.subject}`
  return sql`decision.verb = any(${verbs}) and ${isAboutSubject}`
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

type HiddenRow = {
  id: bigint
  verb: Verb
  purpose: string
  text: string | null
  body_hash: Buffer
  at: Date
  expires_at: Date
} & SignatureColumns

/**
 * The operators' role cannot read the text of a decision with one signature, so that signature is not verified here. With
 * a second stored signature it can, and then only valid signatures count.
 */
async function readHidden(db: Database, chain: OperatorChain | null, verb: Verb | null): Promise<Found> {
  if (!chain) return NOTHING
  const { rows } = await sql<HiddenRow>`
    select decision.id, decision.verb, decision.purpose, decision.body_hash, decision.at, decision.expires_at,
           readable.body as text, ${signatureColumns}
    from lode.half_signed_payments(${verb}, ${toKeys(chain.operators)}) as decision
    left join lode.decision as readable on readable.id = decision.id`.execute(db)
  const found = rows.flatMap(({ id, verb, purpose, text, body_hash, at, expires_at, ...columns }) => {
    const stored = toSignatures(columns)
    if (text !== null && isComplete(text, stored, chain)) return []
    const counted = text === null ? stored : findValidSignatures(text, stored, chain.operators)
    const signers = namesOf(
      counted.map(({ operator }) => operator),
      chain.operators,
    )
    if (signers.length === 0) return []
    return [
      {
        id,
        verb,
        signers,
        signedAt: at,
        expiresAt: expires_at,
        purpose: plainText.safeParse(purpose).success ? purpose : '(unreadable)',
        body: null,
        textHash: body_hash.toString('hex'),
      },
    ]
  })
  return { found, isCut: rows.length === MAX_OPEN_READ }
}

/** Present operators only: the signature of a removed one does not count. */
const namesOf = (keys: readonly string[], operators: readonly Operator[]): Operator[] =>
  keys.flatMap((key) => operators.find((operator) => operator.key === key) ?? [])

/** The stored texts of open payments, listings and returns that have exactly these terms, the oldest first. */
export async function findHiddenDecisions(
  db: Database,
  chain: OperatorChain | null,
  verb: Verb,
  terms: { readonly symbol?: string; readonly amount?: string; readonly address?: string },
) {
  const { rows } = await sql<{ id: bigint; subject: string; text: string; expires_at: Date } & SignatureColumns>`
    select decision.id, decision.subject, decision.body as text, decision.expires_at, ${signatureColumns}
    from lode.find_half_signed_payment(
      ${verb}, ${terms.symbol ?? null}, ${terms.amount ?? null}, ${Buffer.from(terms.address?.slice(2) ?? '', 'hex')})
      as decision
    order by decision.id`.execute(db)
  return rows
    .map((row) => ({ ...row, verb, expiresAt: row.expires_at, signatures: toSignatures(row) }))
    .filter(({ text, signatures }) => !isComplete(text, signatures, chain))
}

/** Two operators have signed this payment, listing or return. It stays complete if one of them is removed later. */
const isComplete = (text: string, signatures: readonly Signature[], chain: OperatorChain | null): boolean =>
  findValidSignatures(text, signatures, chain?.allOperators ?? []).length >= SIGNATURES_NEEDED
