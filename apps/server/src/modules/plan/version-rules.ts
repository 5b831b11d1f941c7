import { type Asset, assets } from '@lode/kernel'
import type { PlanStanding } from '@lode/wire'
import { START_AT_ONCE } from '../operators/index.ts'
import { type PlanTerms, quotaAt } from './plan.ts'

/**
 * How one version follows another:
 *
 *     version   published      starts          in force
 *     1         Monday         at once         Monday to Thursday
 *     2         Tuesday        next Tuesday    never: version 3 replaced it first
 *     3         Thursday       at once         from Thursday on
 *
 * At any moment the highest version that has started is in force. So operators can take back a version that has not
 * started by publishing another one, and an earlier version never returns by itself.
 *
 * Leaving must not become harder by surprise. If a version raises a fee, or limits transfers out more than the version
 * in force or an announced one, it starts at the earliest a week after the second operator signed it.
 */

export type Version = {
  readonly version: number
  readonly startsAt: Date
}

const WEEK_MS = 7 * 86_400_000

export const findVersionInForce = <V extends Version>(versions: readonly V[], at: Date): V | null =>
  versions
    .filter(({ startsAt }) => startsAt <= at)
    .reduce<V | null>((highest, one) => (highest && highest.version > one.version ? highest : one), null)

/** The version that is in force until this one starts, or would be; null for the first. */
export const findVersionBefore = <V extends Version>(
  { version, startsAt }: Version,
  versions: readonly V[],
): V | null =>
  findVersionInForce(
    versions.filter((earlier) => earlier.version < version && earlier.startsAt < startsAt),
    startsAt,
  )

/** The version in force, and all later ones, also those that are overtaken. */
export function listCurrentAndComing<V extends Version>(versions: readonly V[], at: Date): V[] {
  const current = findVersionInForce(versions, at)?.version ?? 0
  return versions.filter(({ version }) => version >= current)
}

export function determinePlanStanding(
  { version, startsAt }: Version,
  versions: readonly Version[],
  at: Date,
): PlanStanding {
  if (versions.some((later) => later.version > version && later.startsAt <= startsAt)) return 'overtaken'
  if (startsAt > at) return 'coming'
  return findVersionInForce(versions, at)?.version === version ? 'current' : 'past'
}

/** When a version starts, from the signed start and the time of the second signature. */
export function computeStart(starts: string, signedAt: Date, leavingHarder: boolean): Date {
  const earliest = signedAt.getTime() + (leavingHarder ? WEEK_MS : 0)
  return new Date(starts === START_AT_ONCE ? earliest : Math.max(earliest, Date.parse(starts)))
}

export type HarderTerm = {
  readonly path: string
  readonly asset: Asset
  readonly before: bigint
  readonly after: bigint
}

/** The values that make leaving harder than before. */
export function findHarderTerms(before: PlanTerms, after: PlanTerms): HarderTerm[] {
  const found: HarderTerm[] = []
  const levels = Math.max(before.levels.length, after.levels.length)
  for (const asset of assets) {
    const [was, becomes] = [before.transfer[asset], after.transfer[asset]]
    const changed = (name: keyof typeof was) =>
      found.push({ path: `transfer.${asset}.${name}`, asset, before: was[name], after: becomes[name] })
    for (const name of ['min', 'fee'] as const) if (becomes[name] > was[name]) changed(name)
    for (const name of ['max', 'reviewAbove', 'decisionAbove'] as const) if (becomes[name] < was[name]) changed(name)
    for (let level = 0; level < levels; level += 1) {
      const [quotaWas, quotaBecomes] = [quotaAt(before, level)[asset], quotaAt(after, level)[asset]]
      if (quotaBecomes < quotaWas)
        found.push({ path: `levels.${level}.quotas.${asset}`, asset, before: quotaWas, after: quotaBecomes })
    }
  }
  return found
}

/** The paths of the values that make leaving harder than before. */
export const findHarderPaths = (before: PlanTerms, after: PlanTerms): string[] =>
  findHarderTerms(before, after).map(({ path }) => path)
