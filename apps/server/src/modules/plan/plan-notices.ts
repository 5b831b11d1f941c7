import { formatAmount, units } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { createVersionReader, type PublishedPlan } from './plans.ts'
import { determinePlanStanding, findHarderTerms, listCurrentAndComing } from './version-rules.ts'

type Notice = DataOf<'notice/list'>['items'][number]
type PlanNotice = Pick<Extract<Notice, { kind: 'plan' }>, 'version' | 'startsAt' | 'standing' | 'changes'>

/** Reads what notices show about each version that makes leaving harder, by version number. */
export type ReadPlanNotices = (db: Database) => Promise<ReadonlyMap<number, PlanNotice>>

export function createPlanNoticeReader(decimals: Decimals): ReadPlanNotices {
  const readVersions = createVersionReader(decimals)
  return async (db) => {
    const { now, versions } = await readVersions(db)
    return new Map(
      versions
        .filter(({ leavingHarder }) => leavingHarder)
        .map((one) => [
          one.version,
          {
            version: one.version,
            startsAt: one.startsAt.toISOString(),
            standing: determinePlanStanding(one, versions, now),
            changes: listHarderValues(one, versions, decimals),
          },
        ]),
    )
  }
}

/**
 * Lists the values that are harder than in the version in force when this one was published. A value that is harder
 * only than in a version announced at that time is compared with that version.
 */
function listHarderValues(
  announced: PublishedPlan,
  versions: readonly PublishedPlan[],
  decimals: Decimals,
): PlanNotice['changes'] {
  const earlier = versions.filter(({ version }) => version < announced.version)
  const terms = listCurrentAndComing(earlier, announced.publishedAt).flatMap((base) =>
    findHarderTerms(base.plan, announced.plan),
  )
  const byPath = new Map(terms.toReversed().map((term) => [term.path, term]))
  return Array.from(byPath.values(), ({ path, asset, before, after }) => {
    const format = (value: bigint) => formatAmount(units(asset, value), decimals[asset])
    return { path, before: format(before), after: format(after) }
  }).toReversed()
}
