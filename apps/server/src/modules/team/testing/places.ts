import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { StoredPlace } from './naive-team.ts'

/**
 * Inserts members without a place, each with its inviter. In an empty database their ids are 1, 2, 3 and so on; 1 is
 * the first member.
 */
export async function insertMembers(owner: Database, sponsors: readonly (number | null)[]): Promise<void> {
  await sql`
    insert into lode.member (account, invite_code, sponsor_id, lang)
    select substring(sha256(convert_to(number::text, 'UTF8')) for 20), lpad(number::text, 8, '0'), sponsor, 'en'
    from unnest(${sponsors}::bigint[]) with ordinality as given (sponsor, number) order by number`.execute(owner)
}

/** The whole stored tree, by member ids. */
export async function readStoredPlaces(db: Database): Promise<StoredPlace[]> {
  const { rows } = await sql<{
    member_id: bigint
    parent_id: bigint | null
    branch: number | null
    activated: boolean
    effective_invites: number
    headcounts: number[]
    activated_counts: number[]
    performance: string
  }>`select * from lode.team_place order by member_id`.execute(db)
  return rows.map((row) => ({
    id: Number(row.member_id),
    parent: row.parent_id === null ? null : Number(row.parent_id),
    branch: row.branch,
    activated: row.activated,
    effectiveInvites: row.effective_invites,
    headcounts: row.headcounts,
    activatedCounts: row.activated_counts,
    performance: row.performance,
  }))
}
