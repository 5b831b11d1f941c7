import { createHash } from 'node:crypto'
import { assets } from '@lode/kernel'
import { sql } from 'kysely'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { type Operators, SIGNATURES_NEEDED } from '../operators/index.ts'
import type { Plan } from './plan.ts'
import { parsePlanText, type WrittenPlan } from './plan-text.ts'
import { computeStart, determinePlanStanding, findHarderPaths, listCurrentAndComing } from './version-rules.ts'

/** The published plan versions, and which one is in force now by the database's clock. */
export type Plans = {
  /** Null if no version has started: nothing can be ordered then. */
  inForce(db: Database): Promise<Plan | null>
  /** Undefined if there is no such version, or no two operators signed it. */
  byVersion(db: Database, version: number): Promise<Plan | undefined>
}

type Options = {
  readonly decimals: Decimals
  /** Set by the signer: a version counts only with two signatures that these verify. Null: the rows are trusted. */
  readonly operators: Operators | null
}

export type PublishedPlan = {
  readonly version: number
  readonly plan: Plan
  readonly written: WrittenPlan
  /** The canonical spelling. */
  readonly text: string
  readonly startsAt: Date
  readonly publishedAt: Date
  readonly leavingHarder: boolean
}

export function createPlans({ decimals, operators }: Options): Plans {
  // A version never changes, so it is cached for ever.
  const cache = new Map<number, PublishedPlan>()

  async function read(db: Database, version: number): Promise<PublishedPlan | undefined> {
    const cached = cache.get(version)
    if (cached) return cached
    const [row] = await loadPlanRows(db, sql`where version = ${version}`)
    if (!row) return undefined
    const published = parsePlanRow(row, decimals)
    if (operators && !(await isSignedByOperators(db, row, published, operators))) return undefined
    cache.set(version, published)
    return published
  }

  /** Checks that the operators signed exactly this text as this version, and that it does not start too early. */
  async function isSignedByOperators(
    db: Database,
    row: PlanRow,
    { plan }: PublishedPlan,
    by: Operators,
  ): Promise<boolean> {
    const decision = await by.readPublished(db, row.decision_id, SIGNATURES_NEEDED)
    if (!decision || decision.body.subject !== subjectOf(row.version)) return false
    if (decision.body.plan !== planHash(row.body)) return false
    const earlier: PublishedPlan[] = []
    for (let version = 1; version < row.version; version += 1) {
      const one = await read(db, version)
      if (one) earlier.push(one)
    }
    const harder = listCurrentAndComing(earlier, decision.signedAt).some(
      (one) => findHarderPaths(one.plan, plan).length > 0,
    )
    return row.starts_at >= computeStart(decision.body.starts, decision.signedAt, harder)
  }

  return {
    async inForce(db) {
      const { rows } = await sql<{ version: number | null }>`select lode.plan_in_force() as version`.execute(db)
      const version = rows[0]?.version ?? null
      return version === null ? null : ((await read(db, version))?.plan ?? null)
    },
    byVersion: async (db, version) => (await read(db, version))?.plan,
  }
}

const subjectOf = (version: number): string => `plan:${version}`

export const planHash = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

/** Reads all versions, oldest first, and the database's time. It trusts the rows, so it is used only for display. */
export function createVersionReader(decimals: Decimals) {
  const cache: PublishedPlan[] = []
  return async (db: Database): Promise<{ now: Date; versions: readonly PublishedPlan[] }> => {
    const { rows } = await sql<{ now: Date; last: number }>`
      select lode.now() as now, coalesce((select max(version) from lode.plan), 0) as last`.execute(db)
    const [{ now, last } = { now: new Date(), last: 0 }] = rows
    if (last > cache.length) {
      const all = await loadPlanRows(db, sql`order by version`)
      cache.splice(0, cache.length, ...all.map((row) => parsePlanRow(row, decimals)))
    }
    return { now, versions: cache.slice() }
  }
}

type PlanRow = {
  version: number
  body: string
  leaving_harder: boolean
  starts_at: Date
  published_at: Date
  decision_id: bigint
  /** The token decimals that the database stores. Null before the first publication. */
  decimals: Decimals | null
}

export async function loadPlanRows(db: Database, clauses = sql``): Promise<PlanRow[]> {
  const { rows } = await sql<PlanRow>`
    select version, body, leaving_harder, starts_at, published_at, decision_id,
           (select jsonb_object_agg(asset, decimals) from lode.token) as decimals
    from lode.plan ${clauses}`.execute(db)
  return rows
}

/**
 * Parses a published plan. It was checked before it was published. If it cannot be read now, the software or the token
 * decimals have changed since.
 */
export function parsePlanRow(row: PlanRow, decimals: Decimals): PublishedPlan {
  const { version, body, starts_at: startsAt, published_at: publishedAt, leaving_harder: leavingHarder } = row
  if (assets.some((asset) => row.decimals?.[asset] !== decimals[asset]))
    throw new Error(`version ${version} of the plan uses other token decimals than this process`)
  const read = parsePlanText(body, decimals)
  if (!read.ok) throw new Error(`version ${version} of the plan cannot be read: ${read.error.join('; ')}`)
  const { terms, written, text } = read.value
  return { version, plan: { ...terms, version }, written, text, startsAt, publishedAt, leavingHarder }
}

/** All versions, newest first, for the command line. */
export async function listVersions(db: Database, decimals: Decimals) {
  const { now, versions } = await createVersionReader(decimals)(db)
  return versions.map((one) => ({ ...one, standing: determinePlanStanding(one, versions, now) })).reverse()
}
