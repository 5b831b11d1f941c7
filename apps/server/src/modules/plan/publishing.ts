import { ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import { readClock } from '../../platform/clock/clock.ts'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { AT_ONCE, type Decided, type Pool, publishQuestion, type Question, TWO } from '../operators/index.ts'
import { type Difference, differences } from './differences.ts'
import { type ReadPlan, readPlanText } from './plan-text.ts'
import { type PublishedPlan, planHash, publishedPlan, storedPlans } from './plans.ts'
import { harderLeaving, inForceOrToCome } from './succession.ts'

/** What two operators are asked to sign, and the changes that it would make. */
export type Publication = {
  readonly question: Question<'publish'>
  readonly version: number
  /** Compared with the version before it. */
  readonly changes: readonly Difference[]
  /** The values that make leaving harder. If there are any, the version waits for a week. */
  readonly harder: readonly string[]
  /** Runs in the transaction of each signature. The second signature publishes the version. */
  publish(inside: Database, decided: Decided): Promise<Result<null, string>>
}

type Asked = {
  /** The text as the operator wrote it. */
  readonly text: string
  /** Null: starts with the second signature. */
  readonly starts: Date | null
}

/**
 * Prepares the same question for both operators, so that the second signs exactly the text that the first signed. A
 * refusal says in words why the plan cannot be published.
 */
export async function preparePublication(
  db: Database,
  pool: Pool,
  decimals: Decimals,
  { text, starts }: Asked,
): Promise<Result<Publication, string>> {
  const read = readPlanText(text, decimals)
  if (!read.ok) return refused(['The plan cannot be published:', ...read.error.map((one) => `  ${one}`)].join('\n'))
  const plan = read.value
  const before = await allPublished(db, decimals)
  const last = before.at(-1)
  if (last?.text === plan.text) return refused(`This is version ${last.version} as it is: nothing would change.`)
  const version = (last?.version ?? 0) + 1
  const terms = { version, plan: planHash(plan.text), starts: starts?.toISOString() ?? AT_ONCE }
  const question = await publishQuestion(db, pool, terms)
  if (!question.ok) return question
  return ok({
    question: question.value,
    version,
    changes: differences(last?.written, plan.written),
    harder: harderThan(before, plan, await readClock(db)),
    publish: (inside, decided) => publish(inside, decided, { version, plan, decimals }),
  })
}

/**
 * Runs under the lock for decisions. Of two publications prepared for one version, the second finds the version taken.
 */
async function publish(
  inside: Database,
  { id, complete }: Decided,
  { version, plan, decimals }: { version: number; plan: ReadPlan; decimals: Decimals },
): Promise<Result<null, string>> {
  const before = await allPublished(inside, decimals)
  if ((before.at(-1)?.version ?? 0) + 1 !== version)
    return refused(`Version ${version} was published meanwhile: run the command once more.`)
  if (!complete) return ok(null)
  // A further signature, by a key that is no operator, could take one of the first two places. Readers of these places
  // would then count the version as unsigned, or take the start from that signature's time.
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from lode.decision_signature where decision_id = ${id}`.execute(inside)
  if (rows[0]?.count !== BigInt(TWO))
    return refused('Somebody who is no operator has signed it too: run lode operator repair first.')
  const harder = harderThan(before, plan, await readClock(inside)).length > 0
  // Only the first publication inserts these rows. Every later version was read with the same decimals.
  await sql`
    insert into lode.token (asset, decimals) select key, value::smallint from jsonb_each_text(${JSON.stringify(decimals)}::jsonb)
    on conflict (asset) do nothing`.execute(inside)
  await sql`
    insert into lode.plan (version, body, leaving_harder, decision_id)
    values (${version}, ${plan.text}, ${harder}, ${id})`.execute(inside)
  return ok(null)
}

const harderThan = (before: readonly PublishedPlan[], { terms }: ReadPlan, now: Date): string[] =>
  Array.from(new Set(inForceOrToCome(before, now).flatMap((one) => harderLeaving(one.plan, terms))))

const allPublished = async (db: Database, decimals: Decimals): Promise<PublishedPlan[]> =>
  (await storedPlans(db, sql`order by version`)).map((row) => publishedPlan(row, decimals))
