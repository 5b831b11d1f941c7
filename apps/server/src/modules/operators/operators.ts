import { setImmediate as breath } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import type { Database } from '../../platform/db/database.ts'
import { type ChainFound, countedSignatures, isOf, type Pool, type Signature, verifyChain } from './chain.ts'
import { type BodyOf, type DecisionBody, type Operator, readBody, type Verb } from './decision.ts'

export type VerifiedDecision<Body extends DecisionBody = DecisionBody> = {
  readonly id: bigint
  readonly verb: Verb
  readonly body: Body
  readonly expiresAt: Date
  /** The times of the first and last valid signature. They come from the database, so its owner could forge them. */
  readonly firstSignedAt: Date
  readonly signedAt: Date
  /** The public keys of the valid signatures, each once. */
  readonly operators: readonly string[]
}

export type StoredDecision = {
  readonly id: bigint
  readonly subject: string
  readonly verb: string
  readonly text: string
  readonly expiresAt: Date
  readonly signatures: readonly Signature[]
}

export type Operators = {
  /**
   * The valid decisions about these subjects, oldest first. A decision is valid if at least one present operator signed
   * exactly this text, for this pool and chain, and if it has not expired. All others are ignored. The caller checks
   * the number of signatures and the terms. If the chain has an invalid link, only decisions that hold money back are
   * returned.
   */
  verified(db: Database, subjects: readonly string[]): Promise<Map<string, VerifiedDecision[]>>
  /**
   * The subjects about which `verified` may have missed a decision, with the reason in words. A caller that pays must
   * not pay anything about these subjects. It must call this after `verified`, so that no decision is missed in
   * between.
   */
  doubts(db: Database, subjects: readonly string[]): Promise<Map<string, string>>
  /**
   * A published plan decision. It must be signed in time by the operators of the link that it names, even if they are
   * no operators now. It stays valid after its expiry. Null if it has fewer than `needed` valid signatures.
   */
  published(db: Database, decision: bigint, needed: number): Promise<VerifiedDecision<BodyOf<'publish'>> | null>
}

/**
 * `ceremony` pins the operator chain by the hash of its first or any later link. Without it any valid first link is
 * accepted. That is enough for showing decisions, but never for paying.
 */
export function createOperators({ ceremony, ...pool }: Pool & { readonly ceremony: Hex | null }): Operators {
  const pinned = ceremony === null ? null : ceremony.slice(2).toLowerCase()
  return {
    async verified(db, subjects) {
      const found = new Map<string, VerifiedDecision[]>(subjects.map((subject) => [subject, []]))
      if (subjects.length === 0) return found
      const { chain, wrong } = await readChain(db, pool, pinned)
      if (!chain) return found
      for (const [index, decision] of (await storedDecisions(db, subjects, chain.operators)).entries()) {
        if (index % BETWEEN_BREATHS === BETWEEN_BREATHS - 1) await breath()
        const verified = verifyDecision(decision, pool, chain.operators)
        if (verified && (wrong === null || isHoldingBack(verified.verb))) found.get(decision.subject)?.push(verified)
      }
      return found
    },

    async doubts(db, subjects) {
      const { chain, wrong } = await readChain(db, pool, pinned)
      if (wrong !== null)
        return new Map(subjects.map((subject) => [subject, `the operators’ chain does not verify: ${wrong}`]))
      const crowded = chain ? await crowdedSubjects(db, subjects, chain.operators) : []
      return new Map(crowded.map((subject) => [subject, `more than ${MOST_READ} decisions are there about ${subject}`]))
    },

    async published(db, id, needed) {
      const { chain, wrong } = await readChain(db, pool, pinned)
      if (wrong !== null) return null
      const decision = await storedDecision(db, id)
      const body = decision && readBody(decision.text)
      const operators = body?.verb === 'publish' ? chain?.after.get(body.under) : undefined
      if (!decision || !operators) return null
      const inTime = decision.signatures.filter(({ at }) => at <= decision.expiresAt)
      const verified = verifyDecision({ ...decision, signatures: inTime.slice(0, needed) }, pool, operators)
      if (verified?.body.verb !== 'publish' || verified.operators.length < needed) return null
      return { ...verified, body: verified.body }
    },
  }
}

/** After this many decisions the event loop gets a turn, so that a flood of decisions does not block other requests. */
const BETWEEN_BREATHS = 20

export const isHoldingBack = (verb: Verb): boolean => verb === 'pause' || verb === 'reject'

/** For a process without a pinned ceremony: only decisions that hold money back count. */
export const onlyHoldingBack = (operators: Operators): Operators => ({
  published: async () => null,
  async verified(db, subjects) {
    const all = await operators.verified(db, subjects)
    return new Map(
      Array.from(all, ([subject, decisions]) => [subject, decisions.filter(({ verb }) => isHoldingBack(verb))]),
    )
  },
  doubts: (db, subjects) => operators.doubts(db, subjects),
})

/** The operators of the unpinned chain in the database, on the chain that it names. For showing, never for paying. */
export async function operatorsInDatabase(db: Database, vault: Address): Promise<Operators> {
  const [first] = await storedLinks(db)
  return createOperators({ pool: vault, chainId: (first && readBody(first.text)?.chainId) ?? 0, ceremony: null })
}

/** Null if the decision is not valid. The expiry is not checked here, because the database has the clock. */
export function verifyDecision(
  { id, subject, verb, text, expiresAt, signatures }: StoredDecision,
  pool: Pool,
  operators: readonly Operator[],
): VerifiedDecision | null {
  // Signatures are checked first: invalid decisions fail here, and the result is cached.
  const counted = countedSignatures(text, signatures, operators)
  if (counted.length === 0) return null
  const body = readBody(text)
  if (!body || !isOf(body, pool) || body.subject !== subject || body.verb !== verb) return null
  if (Date.parse(body.expiry) !== expiresAt.getTime()) return null
  // The writer chooses the places, but not the times. So the first and last signature are found by time.
  const times = counted.map(({ at }) => at.getTime())
  return {
    id,
    verb: body.verb,
    body,
    expiresAt,
    firstSignedAt: new Date(Math.min(...times)),
    signedAt: new Date(Math.max(...times)),
    operators: counted.map(({ operator }) => operator),
  }
}

export async function readChain(db: Database, pool: Pool, pinned: string | null): Promise<ChainFound> {
  return verifyChain(await storedLinks(db), pool, pinned)
}

export type SignatureColumns = { operators: Buffer[]; signatures: Buffer[]; ats: Date[] }

export const signaturesOf = ({ operators, signatures, ats }: SignatureColumns): Signature[] =>
  operators.flatMap((operator, index) => {
    const [signature, at] = [signatures[index], ats[index]]
    return signature && at ? [{ operator: operator.toString('hex'), signature, at }] : []
  })

export const signatureColumns = sql`
  (select coalesce(array_agg(operator order by place), '{}') from lode.decision_signature where decision_id = decision.id) as operators,
  (select coalesce(array_agg(signature order by place), '{}') from lode.decision_signature where decision_id = decision.id) as signatures,
  (select coalesce(array_agg(at order by place), '{}') from lode.decision_signature where decision_id = decision.id) as ats`

export async function storedLinks(db: Database) {
  const { rows } = await sql<{ number: number; hash: Buffer; text: string } & SignatureColumns>`
    select link.number, link.hash, decision.body as text, ${signatureColumns}
    from lode.operator_link link join lode.decision on decision.id = link.decision_id
    order by link.number`.execute(db)
  return rows.map((row) => ({
    number: row.number,
    hash: row.hash.toString('hex'),
    text: row.text,
    signatures: signaturesOf(row),
  }))
}

/**
 * At most the newest 200 decisions of each subject are read, which is far more than operators make. If there are more,
 * doubts() reports the subject. Decisions without a claimed signature of these operators, or without a finite expiry,
 * do not count and are not read.
 */
const MOST_READ = 200

const ofSubject = (by: readonly Operator[] | null) => sql`
  decision.subject = asked.subject and decision.expires_at > lode.now() and isfinite(decision.expires_at)
  ${
    by === null
      ? sql``
      : sql`and exists (
        select from lode.decision_signature as given
        where given.decision_id = decision.id and given.operator = any(${by.map(({ key }) => Buffer.from(key, 'hex'))}))`
  }`

type DecisionRow = { id: bigint; subject: string; verb: string; text: string; expires_at: Date } & SignatureColumns

const decisionColumns = sql`
  decision.id, decision.subject, decision.verb, decision.body as text, decision.expires_at, ${signatureColumns}`

const decisionOf = ({ id, subject, verb, text, expires_at, ...columns }: DecisionRow): StoredDecision => ({
  id,
  subject,
  verb,
  text,
  expiresAt: expires_at,
  signatures: signaturesOf(columns),
})

/** Unexpired decisions, oldest first. `by`: only those with a claimed signature of one of these operators. */
export async function storedDecisions(
  db: Database,
  subjects: readonly string[],
  by: readonly Operator[] | null,
): Promise<StoredDecision[]> {
  const { rows } = await sql<DecisionRow>`
    select ${decisionColumns}
    from (select distinct unnest(${subjects}::text[]) as subject) as asked
    cross join lateral (
      select * from lode.decision where ${ofSubject(by)} order by decision.id desc limit ${MOST_READ}) as decision
    order by decision.id`.execute(db)
  return rows.map(decisionOf)
}

async function storedDecision(db: Database, id: bigint): Promise<StoredDecision | undefined> {
  const { rows } = await sql<DecisionRow>`
    select ${decisionColumns} from lode.decision where decision.id = ${id}`.execute(db)
  return rows.map(decisionOf)[0]
}

/** The subjects with more decisions than are read. */
async function crowdedSubjects(
  db: Database,
  subjects: readonly string[],
  by: readonly Operator[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ subject: string }>`
    select asked.subject from (select distinct unnest(${subjects}::text[]) as subject) as asked
    where exists (
      select from lode.decision where ${ofSubject(by)} order by decision.id desc offset ${MOST_READ} limit 1)`.execute(
    db,
  )
  return rows.map(({ subject }) => subject)
}
