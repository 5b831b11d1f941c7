import { formatAmount, units } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { createVersions, type PublishedPlan } from './plans.ts'
import { harderTerms, inForceOrToCome, standingOf } from './succession.ts'

type Notice = DataOf<'notice/list'>['items'][number]
type Announcement = Pick<Extract<Notice, { kind: 'plan' }>, 'version' | 'startsAt' | 'standing' | 'changes'>

/** What members are told now about the versions that make leaving harder, by version. */
export type PlanAnnouncements = (db: Database) => Promise<ReadonlyMap<number, Announcement>>

export function createPlanAnnouncements(decimals: Decimals): PlanAnnouncements {
  const readVersions = createVersions(decimals)
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
            standing: standingOf(one, versions, now),
            changes: changesOf(one, versions, decimals),
          },
        ]),
    )
  }
}

/**
 * Compares a version with the terms in force when it was published. If a better version was already announced then, it
 * compares with that one.
 */
function changesOf(
  one: PublishedPlan,
  versions: readonly PublishedPlan[],
  decimals: Decimals,
): Announcement['changes'] {
  const earlier = versions.filter(({ version }) => version < one.version)
  const terms = inForceOrToCome(earlier, one.publishedAt).flatMap((base) => harderTerms(base.plan, one.plan))
  const byPath = new Map(terms.toReversed().map((term) => [term.path, term]))
  return Array.from(byPath.values(), ({ path, asset, before, after }) => {
    const written = (value: bigint) => formatAmount(units(asset, value), decimals[asset])
    return { path, before: written(before), after: written(after) }
  }).toReversed()
}
