import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import type { Database } from '../../platform/db/database.ts'
import { type BodyOf, type DecisionBody, type Operator, parseBody, type Verb } from './decision.ts'
import {
  type ChainCheck,
  findFirstSignatures,
  findOperatorsAt,
  findValidSignatures,
  isForPool,
  type OperatorChain,
  type PoolIdentity,
  SIGNATURES_NEEDED,
  type Signature,
  verifyChain,
} from './operator-chain.ts'

export type VerifiedDecision<Body extends DecisionBody = DecisionBody> = {
  readonly id: bigint
  readonly verb: Verb
  readonly body: Body
  readonly expiresAt: Date
  /** The times of the first and last valid signature. They come from the database, so its owner could forge them. */
  readonly firstSignedAt: Date
  readonly signedAt: Date
  /** The public keys of the valid signatures, each once. */
  readonly signers: readonly string[]
}

export type StoredDecision = {
  readonly id: bigint
  readonly subject: string
  readonly verb: string
  readonly text: string
  readonly expiresAt: Date
  readonly signatures: readonly Signature[]
}

/** Reads the operators' decisions from the database, and verifies them against the operator chain. */
export type Operators = {
  /**
   * The valid decisions about these subjects, oldest first. A decision is valid if a present operator signed exactly
   * this text, if the text names this pool and this EVM chain, and if it has not expired. Invalid decisions are left
   * out. The caller checks the number of signatures and the terms. If the operator chain has an invalid link, or does
   * not have the pinned link, only pauses and rejections are returned.
   */
  readVerified(db: Database, subjects: readonly string[]): Promise<Map<string, VerifiedDecision[]>>
  /**
   * The subjects for which readVerified() may have missed a decision, each with the reason as text. A caller that pays
   * must pay nothing for these subjects. Call it after readVerified(): then it also reports what was added between the
   * two calls.
   */
  findDoubts(db: Database, subjects: readonly string[]): Promise<Map<string, string>>
  /**
   * A published plan decision. It must be signed before its expiry by operators of the link that it names; they may
   * have been removed since. After that it stays valid for ever. Null unless the first `needed` signatures before the
   * expiry are all valid.
   */
  readPublished(db: Database, decision: bigint, needed: number): Promise<VerifiedDecision<BodyOf<'publish'>> | null>
  /**
   * A decision that was carried out at this time, with its two oldest valid signatures. Two of the operators of that
   * time must have signed it while they were operators, and it must not have expired before. They may have been removed
   * since. Returns the reason as text if it is invalid.
   */
  readCarriedOut(db: Database, decision: bigint, carriedOutAt: Date): Promise<Result<VerifiedDecision, string>>
}

/**
 * The field ceremony is the pin: the hash of a link that the operator chain must contain, the first one or a later one.
 * If it is null, any chain with a valid first link is accepted. That is enough to show decisions, and for the worker to
 * carry them out. It is never enough to pay: the signer verifies each payout again, with its pin.
 */
export function createOperators({ ceremony, ...pool }: PoolIdentity & { readonly ceremony: Hex | null }): Operators {
  const pinned = ceremony === null ? null : ceremony.slice(2).toLowerCase()
  return {
    async readVerified(db, subjects) {
      const found = new Map<string, VerifiedDecision[]>(subjects.map((subject) => [subject, []]))
      if (subjects.length === 0) return found
      const { chain, invalidReason } = await readOperatorChain(db, pool, pinned)
      if (!chain) return found
      for (const [index, decision] of (await readStoredDecisions(db, subjects, chain.operators)).entries()) {
        if (index % DECISIONS_PER_EVENT_LOOP_TURN === DECISIONS_PER_EVENT_LOOP_TURN - 1) await yieldToEventLoop()
        const verified = verifyDecision(decision, pool, chain.operators)
        if (verified && (invalidReason === null || isRestrictive(verified.verb)))
          found.get(decision.subject)?.push(verified)
      }
      return found
    },

    async findDoubts(db, subjects) {
      const { chain, invalidReason } = await readOperatorChain(db, pool, pinned)
      if (invalidReason !== null)
        return new Map(subjects.map((subject) => [subject, `the operator chain does not verify: ${invalidReason}`]))
      const crowded = chain ? await findCrowdedSubjects(db, subjects, chain.operators) : []
      return new Map(
        crowded.map((subject) => [subject, `there are more than ${MAX_DECISIONS_READ} decisions about ${subject}`]),
      )
    },

    async readPublished(db, id, needed) {
      const { chain, invalidReason } = await readOperatorChain(db, pool, pinned)
      if (invalidReason !== null) return null
      const decision = await readStoredDecision(db, id)
      const body = decision && parseBody(decision.text)
      const operators = body?.verb === 'publish' ? chain?.operatorsAfterLink.get(body.under) : undefined
      if (!decision || !operators) return null
      const inTime = decision.signatures.filter(({ at }) => at <= decision.expiresAt)
      const verified = verifyDecision({ ...decision, signatures: inTime.slice(0, needed) }, pool, operators)
      if (verified?.body.verb !== 'publish' || verified.signers.length < needed) return null
      return { ...verified, body: verified.body }
    },

    async readCarriedOut(db, id, carriedOutAt) {
      const { chain, invalidReason } = await readOperatorChain(db, pool, pinned)
      if (invalidReason !== null) return refused(`the operator chain does not verify: ${invalidReason}`)
      const decision = await readStoredDecision(db, id)
      if (!chain || !decision) return refused('there is no such decision')
      const operators = findOperatorsAt(chain, carriedOutAt)
      // The time of a ledger transaction is the start of its database transaction, which a thief can keep open. So each
      // operator must also have been one at the time of the signature.
      const inOffice = decision.signatures.filter(({ operator, at }) =>
        findOperatorsAt(chain, at).some(({ key }) => key === operator),
      )
      const signatures = findFirstSignatures(decision.text, inOffice, operators)
      const verified = verifyDecision({ ...decision, signatures }, pool, operators)
      if (!verified || verified.signers.length < SIGNATURES_NEEDED)
        return refused('two operators of that time have not signed the decision')
      return decision.expiresAt > carriedOutAt ? ok(verified) : refused('the decision had expired')
    },
  }
}

/** After this many decisions the event loop runs once, so that a flood of decisions does not block other requests. */
const DECISIONS_PER_EVENT_LOOP_TURN = 20

/** Pauses and rejections only hold money back, so they count even if the operators cannot be verified completely. */
export const isRestrictive = (verb: Verb): boolean => verb === 'pause' || verb === 'reject'

/** For a signer without a pin: returns the same decisions, but only those that hold money back. */
export const keepOnlyRestrictive = (operators: Operators): Operators => ({
  readPublished: async () => null,
  readCarriedOut: async () => refused('no operator link is pinned'),
  async readVerified(db, subjects) {
    const all = await operators.readVerified(db, subjects)
    return new Map(
      Array.from(all, ([subject, decisions]) => [subject, decisions.filter(({ verb }) => isRestrictive(verb))]),
    )
  },
  findDoubts: (db, subjects) => operators.findDoubts(db, subjects),
})

/** Verifies without a pin, so never for paying. Takes the EVM chain id from the first operator link. */
export async function createUnpinnedOperators(db: Database, vault: Address): Promise<Operators> {
  const [first] = await readStoredLinks(db)
  return createOperators({ pool: vault, chainId: (first && parseBody(first.text)?.chainId) ?? 0, ceremony: null })
}

/** Null if the decision is invalid. The caller excludes expired decisions, because only the database has the clock. */
export function verifyDecision(
  { id, subject, verb, text, expiresAt, signatures }: StoredDecision,
  pool: PoolIdentity,
  operators: readonly Operator[],
): VerifiedDecision | null {
  // Signatures are checked first, because their results are cached: a flood of forged decisions costs little.
  const validSignatures = findValidSignatures(text, signatures, operators)
  if (validSignatures.length === 0) return null
  const body = parseBody(text)
  if (!body || !isForPool(body, pool) || body.subject !== subject || body.verb !== verb) return null
  if (Date.parse(body.expiry) !== expiresAt.getTime()) return null
  // The role that inserts a signature chooses its `place`, but not its time. So the order is taken from the times.
  const times = validSignatures.map(({ at }) => at.getTime())
  return {
    id,
    verb: body.verb,
    body,
    expiresAt,
    firstSignedAt: new Date(Math.min(...times)),
    signedAt: new Date(Math.max(...times)),
    signers: validSignatures.map(({ operator }) => operator),
  }
}

export async function readOperatorChain(db: Database, pool: PoolIdentity, pinned: string | null): Promise<ChainCheck> {
  return verifyChain(await readStoredLinks(db), pool, pinned)
}

export type SignatureColumns = { operators: Buffer[]; signatures: Buffer[]; ats: Date[] }

export const toSignatures = ({ operators, signatures, ats }: SignatureColumns): Signature[] =>
  operators.flatMap((operator, index) => {
    const [signature, at] = [signatures[index], ats[index]]
    return signature && at ? [{ operator: operator.toString('hex'), signature, at }] : []
  })

export const signatureColumns = sql`
  (select coalesce(array_agg(operator order by place), '{}') from lode.decision_signature where decision_id = decision.id) as operators,
  (select coalesce(array_agg(signature order by place), '{}') from lode.decision_signature where decision_id = decision.id) as signatures,
  (select coalesce(array_agg(at order by place), '{}') from lode.decision_signature where decision_id = decision.id) as ats`

export async function readStoredLinks(db: Database) {
  const { rows } = await sql<{ number: number; hash: Buffer; text: string } & SignatureColumns>`
    select link.number, link.hash, decision.body as text, ${signatureColumns}
    from lode.operator_link link join lode.decision on decision.id = link.decision_id
    order by link.number`.execute(db)
  return rows.map((row) => ({
    number: row.number,
    hash: row.hash.toString('hex'),
    text: row.text,
    signatures: toSignatures(row),
  }))
}

/**
 * Of each subject only the newest 200 readable decisions are read, far more than operators make. If there are more,
 * findDoubts() reports the subject.
 */
const MAX_DECISIONS_READ = 200

/**
 * SQL condition: which rows of `decision` are readable. The statement must name its subjects `asked`. A decision that
 * has expired, or whose expiry is infinite, is not readable. With `signedBy`, neither is a decision without a stored
 * signature of one of these operators; the signature itself is verified later.
 */
const readableDecisionSql = (signedBy: readonly Operator[] | null) => sql`
  decision.subject = asked.subject and decision.expires_at > lode.now() and isfinite(decision.expires_at)
  and ${hasSignatureSql(signedBy)}`

/** SQL condition: `decision` has a stored signature of one of these operators. True for null. */
export const hasSignatureSql = (signedBy: readonly Operator[] | null) =>
  signedBy === null
    ? sql`true`
    : sql`exists (
      select from lode.decision_signature as given
      where given.decision_id = decision.id and given.operator = any(${toKeys(signedBy)}))`

/** The public keys as bytes. */
export const toKeys = (operators: readonly Operator[]): Buffer[] => operators.map(({ key }) => Buffer.from(key, 'hex'))

type DecisionRow = { id: bigint; subject: string; verb: string; text: string; expires_at: Date } & SignatureColumns

const decisionColumns = sql`
  decision.id, decision.subject, decision.verb, decision.body as text, decision.expires_at, ${signatureColumns}`

const toDecision = ({ id, subject, verb, text, expires_at, ...columns }: DecisionRow): StoredDecision => ({
  id,
  subject,
  verb,
  text,
  expiresAt: expires_at,
  signatures: toSignatures(columns),
})

/** Unexpired decisions, oldest first. `signedBy`: only those with a stored signature of one of these operators. */
export async function readStoredDecisions(
  db: Database,
  subjects: readonly string[],
  signedBy: readonly Operator[] | null,
): Promise<StoredDecision[]> {
  const { rows } = await sql<DecisionRow>`
    select ${decisionColumns}
    from (select distinct unnest(${subjects}::text[]) as subject) as asked
    cross join lateral (
      select * from lode.decision where ${readableDecisionSql(signedBy)} order by decision.id desc limit ${MAX_DECISIONS_READ}) as decision
    order by decision.id`.execute(db)
  return rows.map(toDecision)
}

async function readStoredDecision(db: Database, id: bigint): Promise<StoredDecision | undefined> {
  const { rows } = await sql<DecisionRow>`
    select ${decisionColumns} from lode.decision where decision.id = ${id}`.execute(db)
  return rows.map(toDecision)[0]
}

/** The subjects with more decisions than are read. */
async function findCrowdedSubjects(
  db: Database,
  subjects: readonly string[],
  signedBy: readonly Operator[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ subject: string }>`
    select asked.subject from (select distinct unnest(${subjects}::text[]) as subject) as asked
    where exists (
      select from lode.decision where ${readableDecisionSql(signedBy)} order by decision.id desc offset ${MAX_DECISIONS_READ} limit 1)`.execute(
    db,
  )
  return rows.map(({ subject }) => subject)
}

/** The pool that the first operator link names, and the valid part of the chain. Null if there are no operators. */
export async function readChainOfCeremony(
  db: Database,
): Promise<{ readonly pool: PoolIdentity; readonly chain: OperatorChain } | null> {
  const links = await readStoredLinks(db)
  const first = links[0] && parseBody(links[0].text)
  if (!first) return null
  const pool = { pool: first.pool, chainId: first.chainId }
  const { chain } = verifyChain(links, pool, null)
  return chain && { pool, chain }
}
