import { randomUUID } from 'node:crypto'
import { ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../../platform/db/database.ts'
import { runTransaction } from '../../platform/db/transaction.ts'
import { canonicalJson, type Json } from './canonical-json.ts'
import {
  type BodyOf,
  type DecisionBody,
  isHiddenVerb,
  type Operator,
  parseBody,
  serializeBody,
  type Verb,
} from './decision.ts'
import { describeVerb } from './describe-verb.ts'
import { findHiddenDecisions, type OpenDecision, readOpenDecisions } from './open-decisions.ts'
import { findValidSignatures, linkHash, type OperatorChain, type PoolIdentity } from './operator-chain.ts'
import {
  isRestrictive,
  readOperatorChain,
  readStoredDecisions,
  type StoredDecision,
  verifyDecision,
} from './operators.ts'
import { isSuperseded } from './pause.ts'
import type { SecretKey } from './signature.ts'
import { readWithdrawals } from './withdrawals.ts'

/**
 * How operators decide, each on their own machine. The first operator who proposes something stores the text and signs
 * it. Every later operator who proposes the same signs exactly the same bytes. They connect as `lode_operator`. A thief
 * of that database role can store invalid decisions, but cannot sign valid ones.
 */

export const NO_OPERATORS = 'There are no operators yet. Run: lode operator init'
const OPERATORS_CHANGED = 'The operators have changed meanwhile: run the command once more.'

type CommonField = 'pool' | 'chainId' | 'subject' | 'expiry' | 'nonce' | 'verb'

export type Proposal<V extends Verb = Verb> = {
  readonly verb: V
  /**
   * The subject of a payment contains the nonce, so that two payments with the same terms are two decisions. That of a
   * notice has the hash of its words. A function finds all open decisions of this kind, whatever their subjects are.
   */
  readonly subject: string | ((nonce: string) => string)
  /** The terms that this operator proposes. A term that is missing here matches any value of an open decision. */
  readonly terms: Partial<Omit<BodyOf<V>, CommonField>>
  /** At most this many operators sign. The decision needs all of them; the review of a smaller transfer needs one. */
  readonly needed: number
  readonly validHours: number
  /** Always begins a new decision, and never adds a signature to an open one. */
  readonly alwaysNew?: boolean
  /** Whether this may still be signed. It runs before the operator sees the text, and again under the lock. */
  readonly check?: (db: Database) => Promise<Result<null, string>>
}

/** Who signs, and whether this begins a new decision although one of this kind is open. */
type SignerIntent = { readonly publicKey: string; readonly beginsAnother?: boolean }

export type PreparedDecision = {
  readonly body: DecisionBody
  readonly text: string
  readonly needed: number
  /** The operators who may sign. */
  readonly operators: readonly Operator[]
  /** The operators who have signed. */
  readonly signedBy: readonly Operator[]
  readonly began: 'now' | 'before'
}

/**
 * Returns the decision that the operator sees before signing, or why there is nothing to sign. If a decision of this
 * kind is open whose terms differ, nothing is signed: the difference may be an error of one of the operators.
 */
export async function prepareDecision(
  db: Database,
  pool: PoolIdentity,
  proposal: Proposal,
  signer: SignerIntent,
): Promise<Result<PreparedDecision, string>> {
  const { verb, needed } = proposal
  const { chain, invalidReason } = await readOperatorChain(db, pool, null)
  // Even with an invalid link, the operators of the valid part may decide to hold money back.
  if (invalidReason !== null && !(chain && isRestrictive(verb))) return refused(addRepairHint(invalidReason))
  if (!chain && verb !== 'init') return refused(NO_OPERATORS)
  if (chain && verb === 'init') return refused('There are operators already.')

  const checked = await proposal.check?.(db)
  if (checked?.ok === false) return checked
  const found = await findDecisionToJoin(db, pool, { proposal, signer, chain })
  if (!found.ok) return found
  const open = found.value
  const body = open?.body ?? (await buildBody(db, pool, proposal))
  const text = open?.text ?? serializeBody(body)
  if (text === null)
    return refused(
      'note' in proposal.terms
        ? 'This cannot be signed: give a note (say what for), in at most 500 characters.'
        : 'Nothing waits for your signature here, so you would be the first to sign: give a note (say what for), in at most 500 characters.',
    )
  if ((body.verb === 'add' || body.verb === 'remove') && body.before !== chain?.head.hash)
    return refused(OPERATORS_CHANGED)
  if (body.verb === 'publish' && body.under !== chain?.head.hash) return refused(OPERATORS_CHANGED)
  const operators = chain?.operators ?? (body.verb === 'init' ? body.operators : [])
  const signed = new Set(findValidSignatures(text, open?.signatures ?? [], operators).map(({ operator }) => operator))
  return ok({
    body,
    text,
    needed,
    operators,
    signedBy: operators.filter(({ key }) => signed.has(key)),
    began: open ? 'before' : 'now',
  })
}

export type SignedDecision = { readonly id: bigint; readonly complete: boolean }

/**
 * Signs the decision and stores the signature. `onSigned` runs in the same transaction and may refuse; then nothing is
 * stored. Returns the number of signatures.
 */
export async function signDecision(
  db: Database,
  pool: PoolIdentity,
  {
    proposal,
    prepared,
    key,
    beginsAnother = false,
  }: { proposal: Proposal; prepared: PreparedDecision; key: SecretKey; beginsAnother?: boolean },
  onSigned: (trx: Database, decision: SignedDecision) => Promise<Result<null, string>>,
): Promise<Result<number, string>> {
  const signature = key.sign(prepared.text)
  return runTransaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('lode: decide'))`.execute(trx)
    const current = await prepareDecision(trx, pool, proposal, { publicKey: key.publicKey, beginsAnother })
    if (!current.ok) return current
    const isOpen = current.value.began === 'before'
    if (isOpen ? current.value.text !== prepared.text : prepared.began === 'before')
      return refused('Another operator has signed meanwhile. Run the command once more.')
    if (!current.value.operators.some((operator) => operator.key === key.publicKey))
      return refused('This key is not one of the operators’.')
    if (current.value.signedBy.some((operator) => operator.key === key.publicKey))
      return refused('This key has signed it already. It takes another operator, with another key.')

    const { body, text } = prepared
    const id = isOpen ? await readDecisionId(trx, text) : await insertDecision(trx, body, text)
    await sql`
      insert into lode.decision_signature (decision_id, place, operator, signature)
      select ${id}, min(free.place), ${Buffer.from(key.publicKey, 'hex')}, ${signature}
      from generate_series(1, 20) as free (place)
      where not exists (
        select from lode.decision_signature as given where given.decision_id = ${id} and given.place = free.place)`.execute(
      trx,
    )
    const count = current.value.signedBy.length + 1
    const complete = count >= prepared.needed
    if (complete && body.subject === 'operators') await appendLink(trx, pool, id, text)
    const outcome = await onSigned(trx, { id, complete })
    return outcome.ok ? ok(count) : outcome
  })
}

/** Appends the link that now has all its signatures. If the chain is invalid with it, throws and stores nothing. */
async function appendLink(trx: Database, pool: PoolIdentity, decision: bigint, text: string): Promise<void> {
  const chain = await readValidChain(trx, pool)
  if (!chain.ok) throw new Error(chain.error)
  const { number, hash } = chain.value?.head ?? { number: 0, hash: null }
  await sql`
    insert into lode.operator_link (number, decision_id, hash)
    values (${number + 1}, ${decision}, ${Buffer.from(linkHash(hash, text), 'hex')})`.execute(trx)
  const longer = await readValidChain(trx, pool)
  if (!longer.ok) throw new Error(longer.error)
}

/** Reads the operator chain without a pin. Anyone who can write to the database could have replaced all of it. */
export async function readValidChain(db: Database, pool: PoolIdentity): Promise<Result<OperatorChain | null, string>> {
  const { chain, invalidReason } = await readOperatorChain(db, pool, null)
  return invalidReason === null ? ok(chain) : refused(addRepairHint(invalidReason))
}

const addRepairHint = (wrong: string): string =>
  `${wrong}. The owner of the database can remove it: lode operator repair`

type MatchingDecision = StoredDecision & { readonly body: DecisionBody }

type Search = {
  readonly proposal: Proposal
  readonly signer: SignerIntent
  readonly chain: OperatorChain | null
}

/** The open decision that gets this operator's signature. Null to begin a new one. A refusal if neither is right. */
async function findDecisionToJoin(
  db: Database,
  pool: PoolIdentity,
  search: Search,
): Promise<Result<MatchingDecision | null, string>> {
  const { proposal, signer } = search
  if (proposal.alwaysNew) return ok(null)
  try {
    const open = await findOpenDecision(db, pool, search)
    if (!open.ok || open.value || signer.beginsAnother) return open
    const others = await findOthersOfKind(db, pool, proposal)
    return others.length === 0 ? ok(null) : refused(describeDifference(others, signer))
  } catch (error) {
    if (!isCausedByRows(error)) throw error
    return refused(addRepairHint(`The open decisions cannot be read, because of a stored row: ${error.message}`))
  }
}

/** A stored text that PostgreSQL cannot convert (class 22), or so many rows that the statement was canceled. */
const isCausedByRows = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && (error.code?.startsWith('22') === true || error.code === QUERY_CANCELED)

const QUERY_CANCELED = '57014'

/** The oldest open decision with these terms that still needs a signature. */
async function findOpenDecision(
  db: Database,
  pool: PoolIdentity,
  { proposal, signer, chain }: Search,
): Promise<Result<MatchingDecision | null, string>> {
  const { verb, terms, needed } = proposal
  const stored = await readCandidates(db, proposal, chain)
  const verified = stored.flatMap((decision) => verifyDecision(decision, pool, chain?.operators ?? []) ?? [])
  const superseded = verified.filter((one) => one.verb === 'resume' && isSuperseded(one, verified)).map(({ id }) => id)
  const matching = stored.flatMap((decision): MatchingDecision[] => {
    if (superseded.includes(decision.id)) return []
    const body = parseBody(decision.text)
    if (body?.verb !== verb || body.pool !== pool.pool || body.chainId !== pool.chainId) return []
    if (!matchesTerms(body, terms)) return []
    const operators = chain?.operators ?? (body.verb === 'init' ? body.operators : [])
    const signatures = findValidSignatures(decision.text, decision.signatures, operators).length
    return signatures > 0 && signatures < needed ? [{ ...decision, body }] : []
  })
  const withdrawals = await readWithdrawals(
    db,
    pool,
    matching.map(({ id }) => id),
  )
  const open = matching.find(({ id }) => !withdrawals.has(id))
  const blocked = matching.find(({ id }) => withdrawals.get(id) === 'false')
  // A false withdrawal must not delay a rejection. Then another one is begun.
  if (open || !blocked || signer.beginsAnother || isRestrictive(verb)) return ok(open ?? null)
  return refused(addRepairHint(`Decision ${blocked.id} has a withdrawal that its first signer did not sign`))
}

/** The text of a half-signed payment is read only by somebody who knows its amount and address. */
async function readCandidates(
  db: Database,
  { verb, subject, terms }: Proposal,
  chain: OperatorChain | null,
): Promise<StoredDecision[]> {
  if (isHiddenVerb(verb)) return findHiddenDecisions(db, chain, verb, terms)
  const subjects = typeof subject === 'string' ? [subject] : await readOpenSubjects(db, verb)
  return readStoredDecisions(db, subjects, chain?.operators ?? null)
}

/** The subjects of decisions with this verb that have not expired and have no outcome yet. */
async function readOpenSubjects(db: Database, verb: Verb): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`
    select subject from lode.decision
    where verb = ${verb} and expires_at > lode.now()
      and not exists (select from lode.decision_outcome where decision_id = decision.id)`.execute(db)
  return rows.map(({ subject }) => subject)
}

/**
 * The open decisions of this kind with other terms, and those for the opposite. The removal of an operator never waits
 * for another removal: the key that began that one may be stolen.
 */
async function findOthersOfKind(
  db: Database,
  pool: PoolIdentity,
  { verb, subject, terms }: Proposal,
): Promise<OpenDecision[]> {
  if (verb === 'remove') return []
  // A subject that contains the nonce is another one in each decision.
  const { open } = await readOpenDecisions(db, pool, { verb, ...(typeof subject === 'string' && { subject }) })
  const others = open
    .filter(({ isFalselyWithdrawn }) => !isFalselyWithdrawn || !isRestrictive(verb))
    .filter(({ body }) => body === null || mayBeMistyped(body, terms))
  const opposite = OPPOSITES.get(verb)
  if (!opposite || typeof subject !== 'string') return others
  return [...others, ...(await readOpenDecisions(db, pool, { verb: opposite, subject })).open]
}

/** Of two operators, one means the contrary. The rejection of a transfer waits for nothing: it holds money back. */
const OPPOSITES: ReadonlyMap<Verb, Verb> = new Map([
  ['approve-partner', 'reject-partner'],
  ['reject-partner', 'approve-partner'],
  ['approve', 'reject'],
])

/** The terms of these come from the command line or from a file. The terms of the others come from the database. */
const TYPED_VERBS: readonly Verb[] = [
  ...(['init', 'add', 'publish', 'publish-help', 'publish-notice', 'rewind', 'migrate-vault'] as const),
  ...(['write-off', 'fund-loss', 'reverse'] as const),
]

/**
 * Whether the difference from this decision may be an error of an operator. If only the database has changed since, for
 * example the plan, the older decision is of no use, and the operator begins another one.
 */
const mayBeMistyped = (body: DecisionBody, terms: Proposal['terms']): boolean =>
  TYPED_VERBS.includes(body.verb) ||
  matchesTerms(body, Object.fromEntries(Object.entries(terms).filter(([name]) => !FREE_TEXTS.has(name))))

function describeDifference(found: readonly OpenDecision[], { publicKey }: SignerIntent): string {
  const isOwn = ({ signers }: OpenDecision) => signers.some(({ key }) => key === publicKey)
  const others = found.filter((decision) => !isOwn(decision))
  const [own] = found
  if (others.length === 0)
    return `Nothing was signed. You have begun ${own?.id} with other terms: lode decision withdraw ${own?.id}, or add --new.`
  const begun = others.map(
    ({ id, verb, signers, purpose }) =>
      `  ${id}  ${describeVerb(verb)}, signed by ${signers.map(({ name }) => name).join(' and ')}${purpose === null ? '' : `: ${purpose}`}`,
  )
  return [
    'Nothing was signed. Another operator has begun a decision of this kind, and what you typed differs from it:',
    ...begun,
    'If you mean this one, find out who is wrong, and type all of it again. If you mean another one, add --new.',
  ].join('\n')
}

/** Differences of case and of spaces in what people write do not make another decision. */
const FREE_TEXTS = new Set(['note', 'evidence'])

const normalize = (text: Json | undefined): Json | undefined =>
  typeof text === 'string' ? text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim() : text

function matchesTerms(body: DecisionBody, terms: Proposal['terms']): boolean {
  const actual: Readonly<Record<string, Json | undefined>> = body
  const wanted: Readonly<Record<string, Json | undefined>> = terms
  return Object.entries(wanted).every(([name, value]) => {
    if (value === undefined) return true
    if (FREE_TEXTS.has(name)) return normalize(value) === normalize(actual[name])
    return canonicalJson({ it: value }) === canonicalJson({ it: actual[name] })
  })
}

/** Builds the body of a new decision. serializeBody() checks later whether the body is valid. */
async function buildBody(db: Database, pool: PoolIdentity, proposal: Proposal): Promise<DecisionBody> {
  const { rows } = await sql<{ expiry: Date }>`
    select date_trunc('milliseconds', lode.now()) + make_interval(hours => ${proposal.validHours}) as expiry`.execute(
    db,
  )
  const [time] = rows
  if (!time) throw new Error('lode.now() returned no row')
  const { verb, subject, terms } = proposal
  const nonce = randomUUID()
  return {
    ...pool,
    verb,
    nonce,
    expiry: time.expiry.toISOString(),
    subject: typeof subject === 'string' ? subject : subject(nonce),
    ...terms,
  } as DecisionBody
}

async function insertDecision(trx: Database, { subject, verb, expiry }: DecisionBody, text: string): Promise<bigint> {
  await sql`
    insert into lode.decision (subject, verb, body, expires_at)
    values (${subject}, ${verb}, ${text}, ${expiry})`.execute(trx)
  return readDecisionId(trx, text)
}

/** By a function, because an operator's role cannot read a payment before two operators have signed it. */
async function readDecisionId(trx: Database, text: string): Promise<bigint> {
  const { rows } = await sql<{ id: bigint | null }>`select lode.id_of_decision(${text}) as id`.execute(trx)
  const id = rows[0]?.id
  if (!id) throw new Error('the decision is gone')
  return id
}
