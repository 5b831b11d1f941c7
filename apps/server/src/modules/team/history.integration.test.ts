import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { teamFindings } from './index.ts'
import { formatOverview } from './rules.ts'
import { NaiveTeam, type StoredPlace } from './testing/naive-team.ts'
import { insertMembers, readStoredPlaces } from './testing/places.ts'

const MEMBERS = 5_500
const BATCH = 250

let database: TestDatabase
afterEach(() => database.drop())

/** Mulberry32: the same history for the same seed. */
function randomFrom(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}

/** Which member invites the next one. Real pools grow in these ways. */
const inviterPatterns: Record<string, (id: number, randomBelow: (bound: number) => number) => number> = {
  'by any member': (id, randomBelow) => 1 + randomBelow(id - 1),
  'by a few members': (id, randomBelow) => 1 + randomBelow(Math.min(4, id - 1)),
  'by the newest members': (id, randomBelow) => Math.max(1, id - 1 - randomBelow(3)),
  'by a mix of these': (id, randomBelow) =>
    [1, 1 + randomBelow(id - 1), Math.max(1, id - 1), 1 + randomBelow(Math.min(20, id - 1))][randomBelow(4)] ?? 1,
}

/**
 * Registrations, activations (some of them twice) and payments, in batches: many events fall into one transaction, and
 * many into different ones.
 */
function* historyOf(team: NaiveTeam, sponsors: readonly (number | null)[], randomBelow: (bound: number) => number) {
  for (const [index, sponsor] of sponsors.entries()) {
    const id = index + 1
    team.place(id, sponsor)
    yield `select from lode.place_member(${id})`
    if (randomBelow(3) === 0) {
      const activated = 1 + randomBelow(id)
      const amount = randomBelow(2) === 0 ? 0n : BigInt(1 + randomBelow(1_000_000_000))
      if (team.activate(activated)) team.pay(activated, amount)
      yield `select lode.add_activation(${activated}, ${amount})`
    }
    if (randomBelow(3) === 0) {
      const payer = 1 + randomBelow(id)
      const amount = BigInt(1 + randomBelow(1_000_000_000)) * 10n ** BigInt(randomBelow(16))
      team.pay(payer, amount)
      yield `select lode.add_performance(${payer}, ${amount})`
    }
  }
}

/** Whether the first three layers, and all five, are shown as full. */
function shownAsFull(place: StoredPlace): boolean[] {
  const { activated, effectiveInvites, headcounts, activatedCounts } = place
  const shown = { level: 0, activated, effectiveInvites, activeTeams: 0, performance: 0n, headcounts, activatedCounts }
  const { threeLayers, fiveLayers } = formatOverview(shown, 6)
  return [threeLayers.full, fiveLayers.full]
}

describe('a team of 5,500 members', { timeout: 240_000 }, () => {
  it.each(Object.keys(inviterPatterns))('invited %s has the same counts as a simple model', async (habit) => {
    const seed = Number(process.env.TEAM_SEED ?? Math.floor(Math.random() * 2 ** 31))
    const randomBelow = randomFrom(seed)
    const sponsorOf = inviterPatterns[habit] ?? (() => 1)
    const sponsors = Array.from({ length: MEMBERS }, (_, index) =>
      index === 0 ? null : sponsorOf(index + 1, randomBelow),
    )
    database = await createTestDatabase()
    await insertMembers(database.db, sponsors)

    const team = new NaiveTeam()
    const client = new pg.Client({ connectionString: database.ownerUrl })
    await client.connect()
    const events = Array.from(historyOf(team, sponsors, randomBelow))
    for (let at = 0; at < events.length; at += BATCH) await client.query(events.slice(at, at + BATCH).join(';'))
    await client.end()

    const kept = await readStoredPlaces(database.db)
    expect(kept.length).toBe(MEMBERS)
    const wrong = kept.filter((place) => !isDeepStrictEqual(place, team.expectedPlace(place.id)))
    const [first] = wrong
    expect({ seed, wrong: wrong.length, first }).toEqual({
      seed,
      wrong: 0,
      first: first && team.expectedPlace(first.id),
    })
    expect(
      kept.filter(
        (place) =>
          !isDeepStrictEqual(
            shownAsFull(place),
            [3, 5].map((layers) => team.isFull(place.id, layers)),
          ),
      ),
    ).toEqual([])
    expect(await teamFindings(database.db)).toEqual([])
    const { rows } = await sql<{ at: bigint }>`
      select member_id as at from lode.team_place where parent_id is null`.execute(database.db)
    expect(rows).toEqual([{ at: 1n }])
  })
})
