import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { PoolIdentity } from '../modules/operators/index.ts'
import { preparePublication } from '../modules/plan/index.ts'
import type { Decimals } from '../platform/config/pool-contracts.ts'
import type { Database } from '../platform/db/database.ts'
import { createTestClock } from './clock.ts'
import { holdCeremony, signAs, type TestOperator } from './operators.ts'

export const EXAMPLE_PLAN_FILE = fileURLToPath(import.meta.resolve('../../plans/example.json'))
export const examplePlanText = readFileSync(EXAMPLE_PLAN_FILE, 'utf8')

const DECIMALS: Decimals = { USDT: 6, BTN: 18, BTC: 8 }

/** Each operator prepares and signs the plan in turn, as by the command line. A refusal throws. */
export async function publishPlan(
  owner: Database,
  pool: PoolIdentity,
  signers: readonly TestOperator[],
  { text = examplePlanText, starts = null }: { text?: string; starts?: Date | null } = {},
): Promise<number> {
  let published = 0
  for (const key of signers) {
    const publication = await preparePublication(owner, pool, DECIMALS, { text, starts })
    if (!publication.ok) throw new Error(publication.error)
    const { proposal, publish, version } = publication.value
    const signed = await signAs(owner, pool, proposal, key, publish)
    if (typeof signed === 'string') throw new Error(signed)
    published = version
  }
  return published
}

const MONTH_SECONDS = 30 * 86_400

/** Gives a pool two operators and a plan that started a month ago, so that a test can set its clock back. */
export async function publishFirstPlan(owner: Database, pool: PoolIdentity, text = examplePlanText) {
  const clock = createTestClock(owner)
  await clock.advance(-MONTH_SECONDS)
  const operators = await holdCeremony(owner, pool)
  await publishPlan(owner, pool, [operators.alice, operators.bob], { text })
  await clock.advance(MONTH_SECONDS)
  return operators
}
