import { ok, type Result, refused } from '@lode/kernel'
import { branches, type DataOf } from '@lode/wire'
import { sql } from 'kysely'
import { addressFromColumn, addressTail } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import type { OpaqueIds } from '../../platform/http/opaque-ids.ts'
import { cutPage, type Page, rowsToRead } from '../../platform/http/page.ts'
import { type Counts, computeLayers, countInArea, LAYERS, type TeamFigures, toBranch } from './rules.ts'

export async function readTeamFigures(db: Database, member: bigint): Promise<TeamFigures> {
  const { rows } = await sql<{
    level: number
    activated: boolean
    effective_invites: number
    active_teams: number
    performance: string
    headcounts: number[]
    activated_counts: number[]
  }>`
    select member.level, place.activated, place.effective_invites, place.performance, place.headcounts, place.activated_counts,
           (select count(*)::int from lode.team_place head where head.parent_id = place.member_id and head.activated) as active_teams
    from lode.team_place place join lode.member member on member.id = place.member_id
    where place.member_id = ${member}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`member ${member} has no place`)
  return {
    level: row.level,
    activated: row.activated,
    effectiveInvites: row.effective_invites,
    activeTeams: row.active_teams,
    performance: BigInt(row.performance),
    headcounts: row.headcounts,
    activatedCounts: row.activated_counts,
  }
}

/** The counts of a member's five layers, and whether the member is activated. */
export async function readLayers(db: Database, member: bigint) {
  const figures = await readTeamFigures(db, member)
  return { activated: figures.activated, layers: computeLayers(figures) }
}

type NetMemberRow = { id: bigint; account: Buffer; branch: number; level: number; activated: boolean }

/**
 * One member of the viewer's net with the members below it. Only the viewer's own five layers are visible: a member
 * outside of them is refused, and counts end at the viewer's fifth layer.
 */
export async function readNet(
  db: Database,
  viewer: bigint,
  root: bigint,
  ids: OpaqueIds,
): Promise<Result<DataOf<'team/net'>, 'team-node-unknown'>> {
  const path = await findPath(db, viewer, root)
  if (path === null) return refused('team-node-unknown')
  const layersLeft = LAYERS - path.length
  const { level, activated, headcounts, activatedCounts } = await readTeamFigures(db, root)
  const heads = layersLeft > 0 ? await readAreaHeads(db, root) : []
  const toWire = (member: NetMemberRow) => ({
    id: ids.encode(viewer, member.id),
    tail: addressTail(addressFromColumn(member.account)),
    branch: toBranch(member.branch),
    level: member.level,
    activated: member.activated,
  })
  return ok({
    path: path.map(toWire),
    level,
    activated,
    areas: branches.map((branch, index) => {
      const head = heads.find((each) => each.branch === index + 1)
      const count = (counts: Counts) => countInArea(counts, index + 1, layersLeft)
      return {
        branch,
        headcount: count(headcounts),
        activated: count(activatedCounts),
        head: head ? { ...toWire(head), below: layersLeft > 1 ? toChildStates(head.below) : [] } : null,
      }
    }),
  })
}

/** The path from the viewer's first layer down to the root, or null if the root is not in the viewer's five layers. */
async function findPath(db: Database, viewer: bigint, root: bigint): Promise<NetMemberRow[] | null> {
  if (root === viewer) return []
  const { rows } = await sql<NetMemberRow & { parent_id: bigint | null }>`
    with recursive way (member_id, parent_id, branch, activated, step) as (
      select member_id, parent_id, branch, activated, 1 from lode.team_place where member_id = ${root}
      union all
      select place.member_id, place.parent_id, place.branch, place.activated, way.step + 1
      from way join lode.team_place place on place.member_id = way.parent_id
      where way.step < ${LAYERS} and way.parent_id <> ${viewer}
    )
    select way.member_id as id, way.parent_id, way.branch, way.activated, member.account, member.level
    from way join lode.member member on member.id = way.member_id
    order by way.step desc`.execute(db)
  return rows[0]?.parent_id === viewer ? rows : null
}

/**
 * The member of the viewer's five layers whose address ends with these digits. If several do, the one nearest to the
 * viewer. Null for anybody else, registered or not. The request has a whole address or six digits: with any length
 * between, a viewer could guess another member's address digit by digit.
 */
export async function findInNet(db: Database, viewer: bigint, address: string): Promise<bigint | null> {
  const digits = address.replace(/^0x/, '').toLowerCase()
  const { rows } = await sql<{ id: bigint }>`
    with recursive below (member_id, layer) as (
      select member_id, 1 from lode.team_place where parent_id = ${viewer}
      union all
      select place.member_id, below.layer + 1
      from below join lode.team_place place on place.parent_id = below.member_id
      where below.layer < ${LAYERS}
    )
    select member.id
    from below join lode.member member on member.id = below.member_id
    where right(encode(member.account, 'hex'), ${digits.length}) = ${digits}
    order by below.layer, member.id
    limit 1`.execute(db)
  return rows[0]?.id ?? null
}

type AreaHeadRow = NetMemberRow & { below: (boolean | null)[] }

/** The members right below `root`, at most three. `below` tells whether each child is activated; null is open. */
async function readAreaHeads(db: Database, root: bigint): Promise<AreaHeadRow[]> {
  const { rows } = await sql<AreaHeadRow>`
    select head.member_id as id, head.branch, head.activated, member.account, member.level,
           array(select place.activated
                 from generate_series(1, 3) number
                 left join lode.team_place place on place.parent_id = head.member_id and place.branch = number
                 order by number) as below
    from lode.team_place head join lode.member member on member.id = head.member_id
    where head.parent_id = ${root}`.execute(db)
  return rows
}

const toChildStates = (states: readonly (boolean | null)[]) =>
  states.map((activated) => (activated === null ? 'open' : activated ? 'activated' : 'member'))

type InvitedRow = {
  id: bigint
  account: Buffer
  level: number
  activated: boolean
  created_at: Date
  /** Whether the member is in the sponsor's five layers. */
  in_net: boolean
}

export async function readInvitations(
  db: Database,
  sponsor: bigint,
  { before, limit }: Page,
  { invitationIds, nodeIds }: { readonly invitationIds: OpaqueIds; readonly nodeIds: OpaqueIds },
): Promise<DataOf<'team/invitations'>> {
  const { rows } = await sql<InvitedRow>`
    select member.id, member.account, member.level, member.created_at, place.activated,
           exists (with recursive above (member_id, layer) as (
                     select place.parent_id, 1
                     union all
                     select up.parent_id, above.layer + 1
                     from above join lode.team_place up on up.member_id = above.member_id
                     where above.layer < ${LAYERS} and above.member_id <> ${sponsor}
                   )
                   select from above where above.member_id = ${sponsor}) as in_net
    from lode.member member join lode.team_place place on place.member_id = member.id
    where member.sponsor_id = ${sponsor} and member.id < ${before ?? MAX_ID}
    order by member.id desc
    limit ${rowsToRead(limit)}`.execute(db)
  const { page, next } = cutPage(rows, limit, ({ id }) => id)
  const items = page.map((invited) => ({
    id: invitationIds.encode(sponsor, invited.id),
    node: invited.in_net ? nodeIds.encode(sponsor, invited.id) : null,
    tail: addressTail(addressFromColumn(invited.account)),
    level: invited.level,
    activated: invited.activated,
    at: invited.created_at.toISOString(),
  }))
  return { items, next }
}

/** Larger than any id. */
const MAX_ID = 2n ** 63n - 1n
