import { connectDatabase, teamFindings } from '@lode/server'
import pg from 'pg'

const CHUNK = 20_000

/**
 * Fills a team with a history, written as superuser in bulk instead of registered: `sponsors` are the inviters of
 * members 1, 2, 3 and so on; the first has none. A member with a level is activated. The rows are then compared one by
 * one with what the server expects.
 */
export async function insertTeam(
  url: string,
  sponsors: readonly number[],
  levelOf: (member: number) => number = () => 0,
): Promise<void> {
  const team = grow(sponsors, (member) => levelOf(member) > 0)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // All rows are checked together at the end, so the triggers for each row are switched off.
    await client.query('set session_replication_role = replica')
    for (let first = 1; first <= sponsors.length; first += CHUNK) {
      const members = Array.from({ length: Math.min(CHUNK, sponsors.length - first + 1) }, (_, index) => first + index)
      await client.query(
        `insert into lode.member (account, invite_code, sponsor_id, lang, level)
         select substring(sha256(convert_to(id::text, 'UTF8')) for 20), lpad(id::text, 8, '0'), nullif(sponsor, 0), 'en', level
         from unnest($1::bigint[], $2::bigint[], $3::smallint[]) as given (id, sponsor, level) order by id`,
        [members, members.map((member) => sponsors[member - 1]), members.map(levelOf)],
      )
      const triples = (of: Uint8Array, size: number) =>
        members.map((member) => `{${of.subarray(size * member, size * member + size).join()}}`)
      await client.query(
        `insert into lode.team_place
           (member_id, parent_id, branch, depth, activated, effective_invites, open_depths, headcounts, activated_counts)
         select id, nullif(parent, 0), nullif(branch, 0), depth, activated, invites, opened::smallint[], counted::smallint[],
                active::smallint[]
         from unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::int[], $5::boolean[], $6::int[], $7::text[], $8::text[], $9::text[])
           as given (id, parent, branch, depth, activated, invites, opened, counted, active)`,
        [
          members,
          members.map((member) => team.parents[member]),
          members.map((member) => team.branches[member]),
          members.map((member) => team.depths[member]),
          members.map((member) => levelOf(member) > 0),
          members.map((member) => team.activeInvites[member]),
          triples(team.open, 3),
          triples(team.counts, 15),
          triples(team.activeCounts, 15),
        ],
      )
    }
    await client.query('vacuum analyze lode.member, lode.team_place')
  } finally {
    await client.end()
  }
  const { db, close } = connectDatabase(url, { name: 'bench', max: 1, noTimeouts: true })
  const findings = await teamFindings(db)
  await close()
  if (findings.length > 0) throw new Error(`the team was not loaded right: ${findings.join('; ')}`)
}

/** The tree that single registrations would make, in memory. All arrays are indexed by member, from 1 on; 0 is none. */
function grow(sponsors: readonly number[], isActivated: (member: number) => boolean) {
  const size = sponsors.length + 1
  const parents = new Int32Array(size)
  const branches = new Uint8Array(size)
  const depths = new Int32Array(size)
  const children = new Int32Array(3 * size)
  const open = new Uint8Array(3 * size).fill(1)
  const counts = new Uint8Array(15 * size)
  const activeCounts = new Uint8Array(15 * size)
  const activeInvites = new Int32Array(size)
  const least = (member: number) =>
    Math.min(open[3 * member] ?? 0, open[3 * member + 1] ?? 0, open[3 * member + 2] ?? 0)
  const add = (to: Uint8Array | Int32Array, at: number) => {
    to[at] = (to[at] ?? 0) + 1
  }

  for (const [index, sponsor] of sponsors.entries()) {
    if (sponsor === 0) continue
    const member = index + 1
    let parent = sponsor
    for (;;) {
      const depth = least(parent)
      const branch = open.subarray(3 * parent, 3 * parent + 3).indexOf(depth)
      if (depth === 1) {
        parents[member] = parent
        branches[member] = branch + 1
        depths[member] = (depths[parent] ?? 0) + 1
        children[3 * parent + branch] = member
        break
      }
      parent = children[3 * parent + branch] ?? 0
    }
    let below = member
    for (let layer = 1; below > 0; layer += 1) {
      const above = parents[below] ?? 0
      const through = (branches[below] ?? 0) - 1
      const depth = least(below) + 1
      if (above === 0 || (layer > 5 && open[3 * above + through] === depth)) break
      open[3 * above + through] = depth
      if (layer <= 5) add(counts, 15 * above + 3 * (layer - 1) + through)
      below = above
    }
    if (!isActivated(member)) continue
    add(activeInvites, sponsor)
    let active = member
    for (let layer = 1; layer <= 5; layer += 1) {
      const above = parents[active] ?? 0
      if (above === 0) break
      add(activeCounts, 15 * above + 3 * (layer - 1) + (branches[active] ?? 0) - 1)
      active = above
    }
  }
  return { parents, branches, depths, open, counts, activeCounts, activeInvites }
}
