import { NaiveTeam } from './naive-team.ts'

/** Somebody who was placed: between which two moments, as whoever asked for it saw them. */
export type Placed = {
  readonly id: number
  readonly sponsor: number
  readonly parent: number
  readonly branch: number
  readonly asked: number
  readonly answered: number
}

/**
 * Whether those who were placed side by side can have come one after another, each to the first open place below its sponsor, and
 * whoever was answered before another asked before that other. Answers with what contradicts it, null where nothing does.
 *
 * Where each stands says who must have been there: everybody in a place before it, seen from its sponsor. If these demands run in
 * no circle there is an order that meets them all, and then the naive team is built in that order and compared.
 */
export function contradictionIn(before: NaiveTeam, placed: readonly Placed[]): string | null {
  const final = copyOf(before)
  // Parents first, whatever the order was: this is only to have the shape.
  const waiting = [...placed]
  for (let stuck = 0; waiting.length > 0; ) {
    const next = waiting.shift()
    if (!next) break
    if (!final.members.has(next.parent)) {
      waiting.push(next)
      stuck += 1
      if (stuck > waiting.length) return `${next.id} stands below ${next.parent}, who stands nowhere`
      continue
    }
    stuck = 0
    const { id, sponsor, parent, branch } = next
    if (final.of(parent).below[branch - 1] !== null) return `two stand at ${parent}, branch ${branch}`
    final.members.set(id, { ...next, below: [null, null, null], activated: false, paid: 0n, sponsor })
    final.of(parent).below[branch - 1] = id
  }

  const isNew = new Set(placed.map(({ id }) => id))
  const demands = new Map<number, Set<number>>()
  for (const { id, sponsor, parent, branch, asked } of placed) {
    const earlier = new Set([sponsor, parent].filter((known) => isNew.has(known)))
    for (const place of final.placesBelow(sponsor)) {
      if (place.parent === parent && place.branch === branch) break
      if (place.taken === null) return `${id} stands behind an open place below its sponsor ${sponsor}`
      if (isNew.has(place.taken)) earlier.add(place.taken)
    }
    for (const other of placed) if (other.answered < asked) earlier.add(other.id)
    demands.set(id, earlier)
  }

  const replay = copyOf(before)
  const left = new Map(placed.map((each) => [each.id, each]))
  while (left.size > 0) {
    const next = Array.from(left.values()).find(({ id }) => !hasAny(demands.get(id), left))
    if (!next) return `no order of coming explains where these stand: ${Array.from(left.keys()).join(', ')}`
    left.delete(next.id)
    replay.place(next.id, next.sponsor)
    const { parent, branch } = replay.of(next.id)
    if (parent !== next.parent || branch !== next.branch)
      return `${next.id} belongs at ${parent}, branch ${branch}, and stands at ${next.parent}, branch ${next.branch}`
  }
  return null
}

function hasAny(earlier: ReadonlySet<number> | undefined, left: ReadonlyMap<number, unknown>): boolean {
  for (const id of earlier ?? []) if (left.has(id)) return true
  return false
}

function copyOf(team: NaiveTeam): NaiveTeam {
  const copy = new NaiveTeam()
  for (const member of team.members.values()) copy.members.set(member.id, { ...member, below: [...member.below] })
  return copy
}
