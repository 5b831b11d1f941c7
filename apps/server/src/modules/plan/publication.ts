import { ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import { readClock } from '../../platform/clock/clock.ts'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import {
  type Operators,
  type PoolIdentity,
  type Proposal,
  proposePlan,
  readSignedText,
  SIGNATURES_NEEDED,
  type SignedDecision,
  START_AT_ONCE,
  storeSignedText,
  type VerifiedDecision,
} from '../operators/index.ts'
import { type Difference, findDifferences } from './differences.ts'
import { type ParsedPlan, parsePlanText } from './plan-text.ts'
import { loadPlanRows, type PublishedPlan, parsePlanRow, planHash } from './plans.ts'
import { findHarderPaths, listCurrentAndComing } from './version-rules.ts'

/** The proposal that two operators are to sign, and the changes that it would make. */
export type Publication = {
  readonly proposal: Proposal<'publish'>
  readonly version: number
  /** The differences from the version before it. */
  readonly changes: readonly Difference[]
  /** The values that make leaving harder. If there are any, the version waits for a week. */
  readonly harder: readonly string[]
  /** Runs in the transaction of each signature. With the second one the version is published, or the worker is to. */
  publish(trx: Database, decided: SignedDecision): Promise<Result<null, string>>
}

type PublicationRequest = {
  /** The text as the operator wrote it. */
  readonly text: string
  /** Null: starts with the second signature. */
  readonly starts: Date | null
}

/**
 * Prepares the same proposal for both operators, so that the second signs exactly the text that the first signed. A
 * refusal says in words why the plan cannot be published.
 */
export async function preparePublication(
  db: Database,
  pool: PoolIdentity,
  decimals: Decimals,
  { text, starts }: PublicationRequest,
): Promise<Result<Publication, string>> {
  const read = parsePlanText(text, decimals)
  if (!read.ok) return refused(['The plan cannot be published:', ...read.error.map((one) => `  ${one}`)].join('\n'))
  const plan = read.value
  const before = await loadPublishedPlans(db, decimals)
  const last = before.at(-1)
  if (last?.text === plan.text) return refused(`This is version ${last.version} as it is: nothing would change.`)
  const version = nextVersion(before)
  const terms = {
    version,
    plan: planHash(plan.text),
    starts: starts?.toISOString() ?? START_AT_ONCE,
    ...(version === 1 ? { decimals } : {}),
  }
  const proposal = await proposePlan(db, pool, terms)
  if (!proposal.ok) return proposal
  return ok({
    proposal: proposal.value,
    version,
    changes: findDifferences(last?.written, plan.written),
    harder: listHarderPaths(before, plan, await readClock(db)),
    publish: (trx, decided) => publish(trx, decided, { version, plan, decimals }),
  })
}

/**
 * Runs under the lock for decisions. Of two publications prepared for one version, the second finds the version taken.
 * The owner publishes at once: at set-up no worker runs yet. An operator's role cannot publish: the worker does.
 */
async function publish(
  trx: Database,
  { id, complete }: SignedDecision,
  { version, plan, decimals }: { version: number; plan: ParsedPlan; decimals: Decimals },
): Promise<Result<null, string>> {
  const before = await loadPublishedPlans(trx, decimals)
  if (nextVersion(before) !== version)
    return refused(`Version ${version} was published meanwhile: run the command once more.`)
  await storeSignedText(trx, plan.text)
  if (!complete) return ok(null)
  // A further signature, by a key that is no operator, could take one of the first two places. Readers of these places
  // would then count the version as unsigned, or take the start from that signature's time.
  const { rows } = await sql<{ count: bigint; is_allowed: boolean }>`
    select count(*) as count, has_function_privilege('lode.publish_plan(bigint, boolean)', 'execute') as is_allowed
    from lode.decision_signature where decision_id = ${id}`.execute(trx)
  if (rows[0]?.count !== BigInt(SIGNATURES_NEEDED))
    return refused('Somebody who is no operator has signed it too: run lode operator repair first.')
  if (!rows[0].is_allowed) return ok(null)
  return insertPlan(trx, id, listHarderPaths(before, plan, await readClock(trx)).length > 0)
}

/**
 * Publishes a version that two operators signed, inside the caller's transaction. Returns null if it needs another
 * signature, or the reason as text if it cannot be published.
 */
export async function carryOutPublication(
  trx: Database,
  { id, signers }: VerifiedDecision,
  { operators, decimals }: { operators: Operators; decimals: Decimals },
): Promise<Result<null, string> | null> {
  // A published version stays valid if its signers are removed later. To publish it they must be operators now.
  if (signers.length < SIGNATURES_NEEDED) return null
  const decision = await operators.readPublished(trx, id, SIGNATURES_NEEDED)
  if (!decision) return null
  const { subject, plan: hash } = decision.body
  const text = await readSignedText(trx, hash)
  if (text === null) return refused('the text of the plan is not stored')
  const plan = parsePlanText(text, decimals)
  if (!plan.ok) return refused(`the plan cannot be read: ${plan.error.join('; ')}`)
  const before = await loadPublishedPlans(trx, decimals)
  if (subject !== `plan:${nextVersion(before)}`) return refused('this version was published before')
  // Compared at the time of the signature, as the signer does. Later there can be fewer versions to compare with.
  return insertPlan(trx, id, listHarderPaths(before, plan.value, decision.signedAt).length > 0)
}

async function insertPlan(trx: Database, decision: bigint, isHarder: boolean): Promise<Result<null, string>> {
  const { rows } = await sql<{ answer: 'ok' | 'done' | 'no-text' }>`
    select lode.publish_plan(${decision}, ${isHarder}) as answer`.execute(trx)
  return rows[0]?.answer === 'no-text' ? refused('the text of the plan is not stored') : ok(null)
}

const nextVersion = (before: readonly PublishedPlan[]): number => (before.at(-1)?.version ?? 0) + 1

const listHarderPaths = (before: readonly PublishedPlan[], { terms }: ParsedPlan, now: Date): string[] =>
  Array.from(new Set(listCurrentAndComing(before, now).flatMap((one) => findHarderPaths(one.plan, terms))))

const loadPublishedPlans = async (db: Database, decimals: Decimals): Promise<PublishedPlan[]> =>
  (await loadPlanRows(db, sql`order by version`)).map((row) => parsePlanRow(row, decimals))
