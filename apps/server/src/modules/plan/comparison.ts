import { type Asset, assets, ok, type Result, refused } from '@lode/kernel'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { type Difference, findDifferences } from './differences.ts'
import type { PlanTerms } from './plan.ts'
import { parsePlanText, type WrittenPlan } from './plan-text.ts'
import { listVersions } from './plans.ts'
import { findHarderPaths } from './version-rules.ts'

type ListedVersion = Awaited<ReturnType<typeof listVersions>>[number]

/** How a plan differs from a version that is published. */
export type PlanComparison = {
  readonly against: ListedVersion
  readonly changes: readonly Difference[]
  /** The values that make leaving harder than in that version. */
  readonly harder: readonly string[]
}

/** Compares a file with the version in force and with every version that is coming, the first to start first. */
export async function comparePlanFile(
  db: Database,
  decimals: Decimals,
  text: string,
): Promise<Result<PlanComparison[], string>> {
  const parsed = parsePlanText(text, decimals)
  if (!parsed.ok) return refused(['The plan cannot be published:', ...parsed.error.map((one) => `  ${one}`)].join('\n'))
  const { current, coming } = await readStanding(db, decimals)
  const { written, terms } = parsed.value
  return ok([...current, ...coming].map((against) => compare(against, { written, terms })))
}

/** The assets of which no transfer needs two operators: not even the highest level may send that much in a day. */
export function findReviewGaps(decimals: Decimals, text: string): Asset[] {
  const parsed = parsePlanText(text, decimals)
  if (!parsed.ok) return []
  const { levels, transfer } = parsed.value.terms
  return assets.filter((asset) => levels.every(({ quotas }) => quotas[asset] <= transfer[asset].decisionAbove))
}

/** Compares each version that is coming with the version in force. Null while none is in force. */
export async function compareComingPlans(
  db: Database,
  decimals: Decimals,
): Promise<{ readonly coming: ListedVersion; readonly comparison: PlanComparison | null }[]> {
  const { current, coming } = await readStanding(db, decimals)
  const [against] = current
  return coming.map((one) => ({
    coming: one,
    comparison: against ? compare(against, { written: one.written, terms: one.plan }) : null,
  }))
}

async function readStanding(db: Database, decimals: Decimals) {
  const versions = await listVersions(db, decimals)
  return {
    /** Empty before the first version starts. */
    current: versions.filter(({ standing }) => standing === 'current'),
    coming: versions
      .filter(({ standing }) => standing === 'coming')
      .toSorted((one, other) => one.startsAt.getTime() - other.startsAt.getTime()),
  }
}

const compare = (
  against: ListedVersion,
  { written, terms }: { readonly written: WrittenPlan; readonly terms: PlanTerms },
): PlanComparison => ({
  against,
  changes: findDifferences(against.written, written),
  harder: findHarderPaths(against.plan, terms),
})
