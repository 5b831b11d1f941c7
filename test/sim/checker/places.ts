import { query } from '../query.ts'

type Row = {
  readonly id: string
  readonly sponsor: string | null
  readonly placed: boolean
  readonly parent: string | null
  readonly branch: number | null
  readonly headcount: number | null
}

/** Every member has one place, the first open one below its inviter, and the right counts of its five layers. */
export async function placeFindings(ownerUrl: string): Promise<string[]> {
  const members = await query<Row>(
    ownerUrl,
    `select id, sponsor_id as sponsor, place.member_id is not null as placed, parent_id as parent, branch,
            (select sum(count) from unnest(headcounts) count)::int as headcount
     from lode.member left join lode.team_place place on place.member_id = id`,
  )
  const below = new Map(members.map(({ id }): [string, (string | null)[]] => [id, [null, null, null]]))
  for (const { id, parent, branch } of members) if (parent && branch) below.get(parent)?.splice(branch - 1, 1, id)
  return members.flatMap((member) => Array.from(objections(member, below)))
}

function* objections({ id, sponsor, placed, headcount }: Row, below: ReadonlyMap<string, (string | null)[]>) {
  if (!placed) {
    yield `member ${id} has no place`
    return
  }
  if (sponsor !== null) {
    const places = Array.from(layersBelow(sponsor, below)).flat()
    const own = places.indexOf(id)
    if (own < 0) yield `member ${id} does not stand below its sponsor ${sponsor}`
    else if (places.indexOf(null) >= 0 && places.indexOf(null) < own) yield `member ${id} stands behind an open place`
  }
  const five = Array.from(layersBelow(id, below)).slice(0, 5).flat()
  const counted = five.filter((member) => member !== null).length
  if (counted !== headcount) yield `${counted} stand in the five layers of member ${id}, who counted ${headcount}`
}

/** The places below a member, layer by layer, from left to right; null for an open place. */
function* layersBelow(member: string, below: ReadonlyMap<string, (string | null)[]>): Generator<(string | null)[]> {
  for (let layer = below.get(member) ?? []; layer.length > 0; ) {
    yield layer
    layer = layer.flatMap((each) => (each === null ? [] : (below.get(each) ?? [])))
  }
}
