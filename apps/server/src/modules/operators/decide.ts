import { randomUUID } from 'node:crypto'
import { ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { transaction } from '../../platform/db/transaction.ts'
import { canonicalJson, type Json } from './canonical.ts'
import { countedSignatures, linkHash, type OperatorChain, type Pool } from './chain.ts'
import { type BodyOf, type DecisionBody, type Operator, readBody, type Verb, writeBody } from './decision.ts'
import { isHoldingBack, readChain, type StoredDecision, storedDecisions, verifyDecision } from './operators.ts'
import { isOvertaken } from './pause.ts'
import type { SecretKey } from './signature.ts'

/**
 * How operators decide, each on their own machine. The first operator to ask stores the text and signs it. Every later
 * operator who asks for the same signs exactly the same bytes. They connect as `lode_operator`. A thief of that
 * database role can store invalid decisions, but cannot sign valid ones.
 */

export const NO_OPERATORS = 'There are no operators yet: lode operator init'
const CHANGED = 'The operators have changed meanwhile: run the command once more.'

type Given = 'pool' | 'chainId' | 'subject' | 'expiry' | 'nonce' | 'verb'

export type Question<V extends Verb = Verb> = {
  readonly verb: V
  /** The subject of a payment contains the nonce, so that two payments with the same terms are two decisions. */
  readonly subject: string | ((nonce: string) => string)
  /** The terms that this operator asks for. A term that is missing here matches any value of an open decision. */
  readonly terms: Partial<Omit<BodyOf<V>, Given>>
  /** How many signatures the decision needs. */
  readonly needed: number
  readonly validHours: number
  /** Always begins a new decision, and never adds a signature to an open one. */
  readonly alwaysNew?: boolean
}

export type Prepared = {
  readonly body: DecisionBody
  readonly text: string
  readonly needed: number
  /** The operators who may sign. */
  readonly operators: readonly Operator[]
  /** The operators who have signed. */
  readonly signedBy: readonly Operator[]
  readonly began: 'now' | 'before'
}

/** Returns what the operator is shown before signing, or why there is nothing to sign. */
export async function prepare(db: Database, pool: Pool, question: Question): Promise<Result<Prepared, string>> {
  const { verb, needed } = question
  const { chain, wrong } = await readChain(db, pool, null)
  // Even with an invalid link, the operators of the valid part may decide to hold money back.
  if (wrong !== null && !(chain && isHoldingBack(verb))) return refused(mendable(wrong))
  if (!chain && verb !== 'init') return refused(NO_OPERATORS)
  if (chain && verb === 'init') return refused('There are operators already.')

  const open = question.alwaysNew ? null : await findOpen(db, pool, question, chain)
  const body = open?.body ?? (await newBody(db, pool, question))
  const text = open?.text ?? writeBody(body)
  if (text === null) return refused('This cannot be decided: say what for, in plain words of at most 500 letters.')
  if ((body.verb === 'add' || body.verb === 'remove') && body.before !== chain?.head.hash) return refused(CHANGED)
  if (body.verb === 'publish' && body.under !== chain?.head.hash) return refused(CHANGED)
  const operators = chain?.operators ?? (body.verb === 'init' ? body.operators : [])
  const signed = new Set(countedSignatures(text, open?.signatures ?? [], operators).map(({ operator }) => operator))
  return ok({
    body,
    text,
    needed,
    operators,
    signedBy: operators.filter(({ key }) => signed.has(key)),
    began: open ? 'before' : 'now',
  })
}

export type Decided = { readonly id: bigint; readonly complete: boolean }

/**
 * Signs the decision and stores the signature, in one transaction with `alsoDo`, which may refuse it. Returns the
 * number of signatures.
 */
export async function sign(
  db: Database,
  pool: Pool,
  { question, prepared, key }: { question: Question; prepared: Prepared; key: SecretKey },
  alsoDo: (inside: Database, decision: Decided) => Promise<Result<null, string>>,
): Promise<Result<number, string>> {
  const signature = key.sign(prepared.text)
  return transaction(db, async (inside) => {
    await sql`select pg_advisory_xact_lock(hashtext('lode: decide'))`.execute(inside)
    const now = await prepare(inside, pool, question)
    if (!now.ok) return now
    const known = now.value.began === 'before'
    if (known ? now.value.text !== prepared.text : prepared.began === 'before')
      return refused('Another operator has signed meanwhile. Look again: run the command once more.')
    if (!now.value.operators.some((operator) => operator.key === key.publicKey))
      return refused('This key is not one of the operators’.')
    if (now.value.signedBy.some((operator) => operator.key === key.publicKey))
      return refused('This key has signed it already. It takes another operator, with another key.')

    const { body, text } = prepared
    const id = known ? await idOf(inside, text) : await insertDecision(inside, body, text)
    await sql`
      insert into lode.decision_signature (decision_id, place, operator, signature)
      select ${id}, min(free.place), ${Buffer.from(key.publicKey, 'hex')}, ${signature}
      from generate_series(1, 20) as free (place)
      where not exists (
        select from lode.decision_signature as given where given.decision_id = ${id} and given.place = free.place)`.execute(
      inside,
    )
    const count = now.value.signedBy.length + 1
    const complete = count >= prepared.needed
    if (complete && body.subject === 'operators') await appendLink(inside, pool, id, text)
    const followed = await alsoDo(inside, { id, complete })
    return followed.ok ? ok(count) : followed
  })
}

/** Appends the link that the last signature completes. Throws if the chain is invalid with it, so nothing is stored. */
async function appendLink(inside: Database, pool: Pool, decision: bigint, text: string): Promise<void> {
  const chain = await presentChain(inside, pool)
  if (!chain.ok) throw new Error(chain.error)
  const { number, hash } = chain.value?.head ?? { number: 0, hash: null }
  await sql`
    insert into lode.operator_link (number, decision_id, hash)
    values (${number + 1}, ${decision}, ${Buffer.from(linkHash(hash, text), 'hex')})`.execute(inside)
  const longer = await presentChain(inside, pool)
  if (!longer.ok) throw new Error(longer.error)
}

/** The chain in this database, without a pin: anyone who can write to the database could have replaced all of it. */
export async function presentChain(db: Database, pool: Pool): Promise<Result<OperatorChain | null, string>> {
  const { chain, wrong } = await readChain(db, pool, null)
  return wrong === null ? ok(chain) : refused(mendable(wrong))
}

const mendable = (wrong: string): string => `${wrong}. Whoever owns the database clears it away: lode operator repair`

type Open = StoredDecision & { readonly body: DecisionBody }

/** The oldest open decision with these terms that still needs a signature. */
async function findOpen(
  db: Database,
  pool: Pool,
  { verb, subject, terms, needed }: Question,
  chain: OperatorChain | null,
): Promise<Open | null> {
  const subjects = typeof subject === 'string' ? [subject] : await openSubjects(db, verb)
  const stored = await storedDecisions(db, subjects, chain?.operators ?? null)
  const verified = stored.flatMap((decision) => verifyDecision(decision, pool, chain?.operators ?? []) ?? [])
  const overtaken = verified.filter((one) => one.verb === 'resume' && isOvertaken(one, verified)).map(({ id }) => id)
  for (const decision of stored) {
    if (overtaken.includes(decision.id)) continue
    const body = readBody(decision.text)
    if (body?.verb !== verb || body.pool !== pool.pool || body.chainId !== pool.chainId) continue
    if (!agrees(body, terms)) continue
    const operators = chain?.operators ?? (body.verb === 'init' ? body.operators : [])
    const signatures = countedSignatures(decision.text, decision.signatures, operators).length
    if (signatures > 0 && signatures < needed) return { ...decision, body }
  }
  return null
}

/** The subjects of decisions with this verb that have not expired and have no outcome yet. */
async function openSubjects(db: Database, verb: Verb): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`
    select subject from lode.decision
    where verb = ${verb} and expires_at > lode.now()
      and not exists (select from lode.decision_outcome where decision_id = decision.id)`.execute(db)
  return rows.map(({ subject }) => subject)
}

function agrees(body: DecisionBody, terms: Question['terms']): boolean {
  const said: Readonly<Record<string, Json | undefined>> = body
  const wanted: Readonly<Record<string, Json | undefined>> = terms
  return Object.entries(wanted).every(
    ([name, value]) => value === undefined || canonicalJson({ it: value }) === canonicalJson({ it: said[name] }),
  )
}

/** Builds the body of a new decision. writeBody() checks later whether it is a valid one. */
async function newBody(db: Database, pool: Pool, question: Question): Promise<DecisionBody> {
  const { rows } = await sql<{ expiry: Date }>`
    select date_trunc('milliseconds', lode.now()) + make_interval(hours => ${question.validHours}) as expiry`.execute(
    db,
  )
  const [time] = rows
  if (!time) throw new Error('the database does not know the time')
  const { verb, subject, terms } = question
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

async function insertDecision(
  inside: Database,
  { subject, verb, expiry }: DecisionBody,
  text: string,
): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    insert into lode.decision (subject, verb, body, expires_at) values (${subject}, ${verb}, ${text}, ${expiry})
    returning id`.execute(inside)
  const [row] = rows
  if (!row) throw new Error('the decision was not stored')
  return row.id
}

async function idOf(inside: Database, text: string): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`select id from lode.decision where body = ${text}`.execute(inside)
  const [row] = rows
  if (!row) throw new Error('the decision is gone')
  return row.id
}
