import { ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import { readClock } from '../../platform/clock/clock.ts'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import {
  type PoolIdentity,
  type Proposal,
  proposePlan,
  SIGNATURES_NEEDED,
  type SignedDecision,
  START_AT_ONCE,
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
  /** Runs in the transaction of each signature. The second signature publishes the version. */
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
  const version = (last?.version ?? 0) + 1
  const terms = { version, plan: planHash(plan.text), starts: starts?.toISOString() ?? START_AT_ONCE }
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
 */
async function publish(
  trx: Database,
  { id, complete }: SignedDecision,
  { version, plan, decimals }: { version: number; plan: ParsedPlan; decimals: Decimals },
): Promise<Result<null, string>> {
  const before = await loadPublishedPlans(trx, decimals)
  if ((before.at(-1)?.version ?? 0) + 1 !== version)
    return refused(`Version ${version} was published meanwhile: run the command once more.`)
  if (!complete) return ok(null)
  // A further signature, by a key that is no operator, could take one of the first two places. Readers of these places
  // would then count the version as unsigned, or take the start from that signature's time.
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from lode.decision_signature where decision_id = ${id}`.execute(trx)
  if (rows[0]?.count !== BigInt(SIGNATURES_NEEDED))
    return refused('Somebody who is no operator has signed it too: run lode operator repair first.')
  const harder = listHarderPaths(before, plan, await readClock(trx)).length > 0
  // Only the first publication inserts these rows. Every later version was read with the same decimals.
  await sql`
    insert into lode.token (asset, decimals) select key, value::smallint from jsonb_each_text(${JSON.stringify(decimals)}::jsonb)
    on conflict (asset) do nothing`.execute(trx)
  await sql`
    insert into lode.plan (version, body, leaving_harder, decision_id)
    values (${version}, ${plan.text}, ${harder}, ${id})`.execute(trx)
  return ok(null)
}

const listHarderPaths = (before: readonly PublishedPlan[], { terms }: ParsedPlan, now: Date): string[] =>
  Array.from(new Set(listCurrentAndComing(before, now).flatMap((one) => findHarderPaths(one.plan, terms))))

const loadPublishedPlans = async (db: Database, decimals: Decimals): Promise<PublishedPlan[]> =>
  (await loadPlanRows(db, sql`order by version`)).map((row) => parsePlanRow(row, decimals))
