type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export type Difference = {
  /** For example `levels.2.price`. */
  readonly path: string
  /** Null if the value did not exist. */
  readonly before: string | null
  readonly after: string | null
}

/** Lists the values that differ between two plans, in the order in which the plans are written. */
export function findDifferences(before: Json | undefined, after: Json | undefined, path = ''): Difference[] {
  if (isBranch(before) || isBranch(after)) {
    const [was, becomes] = [branchesOf(before), branchesOf(after)]
    const names = new Set([...was.keys(), ...becomes.keys()])
    return Array.from(names).flatMap((name) =>
      findDifferences(was.get(name), becomes.get(name), path === '' ? name : `${path}.${name}`),
    )
  }
  return before === after ? [] : [{ path, before: leafOf(before), after: leafOf(after) }]
}

/** Every value of a plan, as a difference from nothing. */
export const listPlanValues = (plan: Json): Difference[] => findDifferences(undefined, plan)

const isBranch = (value: Json | undefined): value is readonly Json[] | { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null

const branchesOf = (value: Json | undefined): ReadonlyMap<string, Json> =>
  new Map(isBranch(value) ? Object.entries(value) : [])

const leafOf = (value: Json | undefined): string | null =>
  value === undefined || isBranch(value) ? null : String(value)
