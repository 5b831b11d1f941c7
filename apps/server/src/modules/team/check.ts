import { collectFindings } from '../../platform/db/collect-findings.ts'
import type { Database } from '../../platform/db/database.ts'

const CHILDREN = ['on_left', 'in_center', 'on_right'] as const

/** The counts that a member must have, computed from the counts of its three children. */
const expectedCounts = (column: 'headcounts' | 'activated_counts', firstLayer: (child: string) => string): string => {
  const elements = [1, 2, 3, 4, 5].flatMap((layer) =>
    CHILDREN.map((child) => {
      if (layer === 1) return `(${firstLayer(child)})::int`
      const parts = [1, 2, 3].map((branch) => `${child}.${column}[${3 * (layer - 2) + branch}]`)
      return `coalesce(${parts.join(' + ')}, 0)`
    }),
  )
  return `array[${elements.join(', ')}]::smallint[]`
}

const expectedOpenDepths = `array[${CHILDREN.map((child) => `coalesce(1 + lode.open_depth(${child}.open_depths), 1)`).join(', ')}]::smallint[]`

const joinChildren = `
  from lode.team_place own
  ${CHILDREN.map((child, index) => `left join lode.team_place ${child} on ${child}.parent_id = own.member_id and ${child}.branch = ${index + 1}`).join('\n  ')}`

/** Each query returns ids of members. */
const CHECKS = {
  'has no place': `
    select id from lode.member where not exists (select from lode.team_place where member_id = member.id)`,
  'is at the top with a sponsor, or below another member without one': `
    select id from lode.team_place join lode.member on id = member_id where (parent_id is null) <> (sponsor_id is null)`,
  'is not below its sponsor': `
    with recursive up (id, sponsor, above) as (
      select id, sponsor_id, parent_id from lode.team_place join lode.member on id = member_id
      where parent_id <> sponsor_id
      union all
      select up.id, up.sponsor, place.parent_id from up join lode.team_place place on place.member_id = up.above
      where place.parent_id is distinct from up.sponsor
    )
    select id from up where above is null`,
  'has an open place further left beside it': `
    select member_id as id from lode.team_place place
    where branch > 1
      and not exists (select from lode.team_place where parent_id = place.parent_id and branch = place.branch - 1)`,
  'has a wrong depth': `
    select own.member_id as id
    from lode.team_place own left join lode.team_place above on above.member_id = own.parent_id
    where own.depth <> coalesce(above.depth + 1, 0)`,
  'has a wrong depth of the nearest open place': `select own.member_id as id ${joinChildren} where own.open_depths <> ${expectedOpenDepths}`,
  'has a wrong count of the members below it': `
    select own.member_id as id ${joinChildren}
    where own.headcounts <> ${expectedCounts('headcounts', (child) => `${child}.member_id is not null`)}`,
  'has a wrong count of the activated members below it': `
    select own.member_id as id ${joinChildren}
    where own.activated_counts <> ${expectedCounts('activated_counts', (child) => `coalesce(${child}.activated, false)`)}`,
  'has a wrong count of the activated members that it invited': `
    select own.member_id as id
    from lode.team_place own left join (
      select sponsor_id, count(*) as activated from lode.team_place join lode.member on id = member_id
      where activated group by sponsor_id
    ) invited on sponsor_id = own.member_id
    where own.effective_invites <> coalesce(invited.activated, 0)`,
} as const

/**
 * Checks the tree, and names a member as an example for each error. The counts by layer follow from those of the
 * children, so each row is compared with its three children. If all rows agree, all counts are right. It does not
 * check performance.
 */
export const teamFindings = (db: Database): Promise<string[]> => collectFindings(db, CHECKS)
