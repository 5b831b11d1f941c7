import { ok, refused } from '@lode/kernel'
import { decimalsOf, type PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/mount.ts'
import { type Difference, findDifferences } from './differences.ts'
import { createVersionReader, type PublishedPlan } from './plans.ts'
import { determinePlanStanding, findVersionBefore, findVersionInForce } from './version-rules.ts'

/** Both ask the database each time. */
const LIMITED = { limit: { kind: 'publicReads' } } as const

export function mountPlan(mount: Mount, { db, contracts }: { db: Database; contracts: PoolContracts }): void {
  const readVersions = createVersionReader(decimalsOf(contracts))

  mount(
    'plan/current',
    async () => {
      const { now, versions } = await readVersions(db)
      const current = findVersionInForce(versions, now)
      if (!current) return refused('plan-none')
      const coming = versions
        .filter((one) => determinePlanStanding(one, versions, now) === 'coming')
        .map((one) => ({ ...formatDates(one), changes: listChanges(one, versions) }))
      return ok({ ...formatDates(current), at: now.toISOString(), plan: current.written, coming })
    },
    LIMITED,
  )

  mount(
    'plan/history',
    async ({ page: { before, limit } }) => {
      const { now, versions } = await readVersions(db)
      const newestFirst = versions.filter(({ version }) => before === undefined || version < before).reverse()
      const shown = newestFirst.slice(0, limit)
      return ok({
        versions: shown.map((one) => ({
          ...formatDates(one),
          standing: determinePlanStanding(one, versions, now),
          leavingHarder: one.leavingHarder,
          changes: listChanges(one, versions),
        })),
        next: shown.length < newestFirst.length ? String(shown.at(-1)?.version) : null,
      })
    },
    LIMITED,
  )
}

/** What a version changes in the one that is in force before it. The first version changes nothing. */
function listChanges(one: PublishedPlan, versions: readonly PublishedPlan[]): Difference[] {
  const before = findVersionBefore(one, versions)
  return before ? findDifferences(before.written, one.written) : []
}

const formatDates = ({ version, publishedAt, startsAt }: PublishedPlan) => ({
  version,
  publishedAt: publishedAt.toISOString(),
  startsAt: startsAt.toISOString(),
})
