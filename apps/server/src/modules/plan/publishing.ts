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

/** What two operators are asked to sign, and what it would change. */
export type Publication = {
  readonly question: Question<'publish'>
  readonly version: number
  /** Against the version before it. */
  readonly changes: readonly Difference[]
  /** The values that make leaving harder, where there are any: then it waits for a week. */
  readonly harder: readonly string[]
  /** In the transaction of each signature: with the second it is published. */
  publish(inside: Database, decided: Decided): Promise<Result<null, string>>
}

type Asked = {
  /** As it is written. */
  readonly text: string
  /** Null: with the second signature. */
  readonly starts: Date | null
}

/** The same whoever asks: the second operator signs the very text that the first began. In words why it cannot be published. */
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

/** Under the lock of deciding, so that of two that were prepared for one version the second finds it taken. */
async function publish(
  inside: Database,
  { id, complete }: Decided,
  { version, plan, decimals }: { version: number; plan: ReadPlan; decimals: Decimals },
): Promise<Result<null, string>> {
  const before = await allPublished(inside, decimals)
  if ((before.at(-1)?.version ?? 0) + 1 !== version)
    return refused(`Version ${version} was published meanwhile: run the command once more.`)
  if (!complete) return ok(null)
  // Else it would count, by whoever reads the first two, as signed by nobody, and from when that was written.
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from lode.decision_signature where decision_id = ${id}`.execute(inside)
  if (rows[0]?.count !== BigInt(TWO))
    return refused('Somebody who is no operator has signed it too: run lode operator repair first.')
  const harder = harderThan(before, plan, await readClock(inside)).length > 0
  // Only the first finds none there; all later ones were read in the same.
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
