import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findingsAfter } from '../../testing/breaking.ts'
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

it('finds nothing wrong where nothing is', async () => {
  expect(await teamFindings(database.db)).toEqual([])
})

it.each([
  ['a place', 'delete from lode.team_place where member_id = 40', 'member 40 has no place'],
  [
    'who is at the top',
    'update lode.team_place set parent_id = null, branch = null, depth = 0 where member_id = 40',
    'at the top with a sponsor',
  ],
  ['a sponsor', 'update lode.member set sponsor_id = 39 where id = 40', 'does not stand below its sponsor'],
  ['a branch', 'update lode.team_place set branch = 3 where member_id = 40', 'further left'],
  ['a depth', 'update lode.team_place set depth = depth + 1 where member_id = 9', 'how deep it stands'],
  ['the open places', 'update lode.team_place set open_depths[1] = 9 where member_id = 1', 'nearest open place'],
  ['a headcount', 'update lode.team_place set headcounts[4] = 0 where member_id = 1', 'miscounted the members'],
  [
    'a count of the activated',
    'update lode.team_place set activated_counts[4] = 3 where member_id = 1',
    'miscounted the activated members below it',
  ],
  [
    'a count of invitations',
    'update lode.team_place set effective_invites = effective_invites + 1 where member_id = 1',
    'miscounted the activated members that it invited',
  ],
])('finds %s that somebody changed', async (_what, statement, finding) => {
  expect(await findingsAfter(database.db, statement, teamFindings)).toContainEqual(expect.stringContaining(finding))
})
