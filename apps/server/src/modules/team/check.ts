import type { Database } from '../../platform/db/database.ts'
import { findingsOf } from '../../platform/db/findings.ts'

const CHILDREN = ['on_left', 'in_center', 'on_right'] as const

/** The counts that a member must have, computed from the counts of its three children. */
const counted = (column: 'headcounts' | 'activated_counts', first: (child: string) => string): string => {
  const elements = [1, 2, 3, 4, 5].flatMap((layer) =>
    CHILDREN.map((child) => {
      if (layer === 1) return `(${first(child)})::int`
      const parts = [1, 2, 3].map((branch) => `${child}.${column}[${3 * (layer - 2) + branch}]`)
      return `coalesce(${parts.join(' + ')}, 0)`
    }),
  )
  return `array[${elements.join(', ')}]::smallint[]`
}

const opened = `array[${CHILDREN.map((child) => `coalesce(1 + lode.open_depth(${child}.open_depths), 1)`).join(', ')}]::smallint[]`

const beside = `
  from lode.team_place own
  ${CHILDREN.map((child, place) => `left join lode.team_place ${child} on ${child}.parent_id = own.member_id and ${child}.branch = ${place + 1}`).join('\n  ')}`

/** Each query returns ids of members. */
const CHECKS = {
  'has no place': `
    select id from lode.member where not exists (select from lode.team_place where member_id = member.id)`,
  'stands at the top with a sponsor, or below somebody without one': `
    select id from lode.team_place join lode.member on id = member_id where (parent_id is null) <> (sponsor_id is null)`,
  'does not stand below its sponsor': `
    with recursive up (id, sponsor, above) as (
      select id, sponsor_id, parent_id from lode.team_place join lode.member on id = member_id
      where parent_id <> sponsor_id
      union all
      select up.id, up.sponsor, place.parent_id from up join lode.team_place place on place.member_id = up.above
      where place.parent_id is distinct from up.sponsor
    )
    select id from up where above is null`,
  'stands beside an open place that is further left': `
    select member_id as id from lode.team_place place
    where branch > 1
      and not exists (select from lode.team_place where parent_id = place.parent_id and branch = place.branch - 1)`,
  'mistakes how deep it stands': `
    select own.member_id as id
    from lode.team_place own left join lode.team_place above on above.member_id = own.parent_id
    where own.depth <> coalesce(above.depth + 1, 0)`,
  'mistakes where the nearest open place is': `select own.member_id as id ${beside} where own.open_depths <> ${opened}`,
  'has miscounted the members below it': `
    select own.member_id as id ${beside}
    where own.headcounts <> ${counted('headcounts', (child) => `${child}.member_id is not null`)}`,
  'has miscounted the activated members below it': `
    select own.member_id as id ${beside}
    where own.activated_counts <> ${counted('activated_counts', (child) => `coalesce(${child}.activated, false)`)}`,
  'has miscounted the activated members that it invited': `
    select own.member_id as id
    from lode.team_place own left join (
      select sponsor_id, count(*) as activated from lode.team_place join lode.member on id = member_id
      where activated group by sponsor_id
    ) invited on sponsor_id = own.member_id
    where own.effective_invites <> coalesce(invited.activated, 0)`,
} as const

/**
 * Checks the tree, and names a member as an example for each error. Every count follows from the counts of the
 * children, so each row is compared with its three children. If all rows agree, the whole tree is right.
 */
export const teamFindings = (db: Database): Promise<string[]> => findingsOf(db, CHECKS)
