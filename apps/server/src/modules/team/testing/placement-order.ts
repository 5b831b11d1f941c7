import { NaiveTeam } from './naive-team.ts'

/** A placed member, with the moments at which its client asked and got the answer. */
export type PlacedMember = {
  readonly id: number
  readonly sponsor: number
  readonly parent: number
  readonly branch: number
  readonly asked: number
  readonly answered: number
}

/**
 * Checks that members placed in parallel could have come one after another, each to the first open place below its
 * inviter. A member that was answered before another asked must come before that other. Returns the contradiction, or
 * null.
 *
 * Each place shows which members must have been there earlier: all those in places before it, seen from its inviter. If
 * these requirements have no cycle, some order meets them all. The model is then built in that order and compared.
 */
export function findContradiction(before: NaiveTeam, placed: readonly PlacedMember[]): string | null {
  const final = copyOf(before)
  // Parents first, in any order: this only builds the shape.
  const waiting = [...placed]
  for (let skipped = 0; waiting.length > 0; ) {
    const next = waiting.shift()
    if (!next) break
    if (!final.members.has(next.parent)) {
      waiting.push(next)
      skipped += 1
      if (skipped > waiting.length) return `${next.id} is below ${next.parent}, who has no place`
      continue
    }
    skipped = 0
    const { id, sponsor, parent, branch } = next
    if (final.get(parent).below[branch - 1] !== null) return `two members are at ${parent}, branch ${branch}`
    final.members.set(id, { ...next, below: [null, null, null], activated: false, paid: 0n, sponsor })
    final.get(parent).below[branch - 1] = id
  }

  const isNew = new Set(placed.map(({ id }) => id))
  const mustPrecede = new Map<number, Set<number>>()
  for (const { id, sponsor, parent, branch, asked } of placed) {
    const earlier = new Set([sponsor, parent].filter((known) => isNew.has(known)))
    for (const place of final.placesBelow(sponsor)) {
      if (place.parent === parent && place.branch === branch) break
      if (place.taken === null) return `${id} skipped an open place below its sponsor ${sponsor}`
      if (isNew.has(place.taken)) earlier.add(place.taken)
    }
    for (const other of placed) if (other.answered < asked) earlier.add(other.id)
    mustPrecede.set(id, earlier)
  }

  const replay = copyOf(before)
  const remaining = new Map(placed.map((each) => [each.id, each]))
  while (remaining.size > 0) {
    const next = Array.from(remaining.values()).find(({ id }) => !includesAny(mustPrecede.get(id), remaining))
    if (!next) return `no order of registrations explains the places of ${Array.from(remaining.keys()).join(', ')}`
    remaining.delete(next.id)
    replay.place(next.id, next.sponsor)
    const { parent, branch } = replay.get(next.id)
    if (parent !== next.parent || branch !== next.branch)
      return `${next.id} belongs at ${parent}, branch ${branch}, but is at ${next.parent}, branch ${next.branch}`
  }
  return null
}

function includesAny(earlier: ReadonlySet<number> | undefined, left: ReadonlyMap<number, unknown>): boolean {
  for (const id of earlier ?? []) if (left.has(id)) return true
  return false
}

function copyOf(team: NaiveTeam): NaiveTeam {
  const copy = new NaiveTeam()
  for (const member of team.members.values()) copy.members.set(member.id, { ...member, below: [...member.below] })
  return copy
}
