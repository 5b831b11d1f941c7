import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkAfterTampering } from '../../testing/check-after-tampering.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { teamFindings } from './index.ts'
import { insertMembers } from './testing/places.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const sponsors = Array.from({ length: 40 }, (_, index) => (index === 0 ? null : 1 + (index % 5 === 0 ? 2 : 0)))
  await insertMembers(database.db, sponsors)
  await sql`select lode.place_member(id) from lode.member order by id`.execute(database.db)
  await sql`select lode.add_activation(id) from lode.member where id % 4 = 0`.execute(database.db)
})
afterAll(() => database.drop())

it('finds no error in a correct tree', async () => {
  expect(await teamFindings(database.db)).toEqual([])
})

it.each([
  ['a missing place', 'delete from lode.team_place where member_id = 40', 'member 40 has no place'],
  [
    'a second member at the top',
    'update lode.team_place set parent_id = null, branch = null, depth = 0 where member_id = 40',
    'at the top with a sponsor',
  ],
  ['a changed sponsor', 'update lode.member set sponsor_id = 39 where id = 40', 'is not below its sponsor'],
  ['a changed branch', 'update lode.team_place set branch = 3 where member_id = 40', 'further left'],
  ['a changed depth', 'update lode.team_place set depth = depth + 1 where member_id = 9', 'wrong depth'],
  ['changed open places', 'update lode.team_place set open_depths[1] = 9 where member_id = 1', 'nearest open place'],
  [
    'a changed headcount',
    'update lode.team_place set headcounts[4] = 0 where member_id = 1',
    'wrong count of the members',
  ],
  [
    'a changed count of activated members',
    'update lode.team_place set activated_counts[4] = 3 where member_id = 1',
    'wrong count of the activated members below it',
  ],
  [
    'a changed count of effective invites',
    'update lode.team_place set effective_invites = effective_invites + 1 where member_id = 1',
    'wrong count of the activated members that it invited',
  ],
])('finds an error: %s', async (_what, statement, finding) => {
  expect(await checkAfterTampering(database.db, statement, teamFindings)).toContainEqual(
    expect.stringContaining(finding),
  )
})
