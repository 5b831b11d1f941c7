import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { teamFindings } from './index.ts'
import { overviewOf } from './rules.ts'
import { type KeptPlace, NaiveTeam } from './testing/naive-team.ts'
import { insertMembers, keptPlaces } from './testing/places.ts'

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

/** Who invites the next member, in the ways in which real pools grow. */
const habits: Record<string, (id: number, below: (bound: number) => number) => number> = {
  'by anybody': (id, below) => 1 + below(id - 1),
  'by a few who know everybody': (id, below) => 1 + below(Math.min(4, id - 1)),
  'by whoever came last': (id, below) => Math.max(1, id - 1 - below(3)),
  'by all of these in turn': (id, below) =>
    [1, 1 + below(id - 1), Math.max(1, id - 1), 1 + below(Math.min(20, id - 1))][below(4)] ?? 1,
}

/**
 * Registrations, activations (some of them twice) and payments, in batches: many events fall into one transaction, and
 * many into different ones.
 */
function* historyOf(team: NaiveTeam, sponsors: readonly (number | null)[], below: (bound: number) => number) {
  for (const [index, sponsor] of sponsors.entries()) {
    const id = index + 1
    team.place(id, sponsor)
    yield `select from lode.place_member(${id})`
    if (below(3) === 0) {
      const activated = 1 + below(id)
      team.activate(activated)
      yield `select lode.add_activation(${activated})`
    }
    if (below(3) === 0) {
      const payer = 1 + below(id)
      const amount = BigInt(1 + below(1_000_000_000)) * 10n ** BigInt(below(16))
      team.pay(payer, amount)
      yield `select lode.add_performance(${payer}, ${amount})`
    }
  }
}

/** Whether the first three layers, and all five, are shown as full. */
function fullOf(place: KeptPlace): boolean[] {
  const { activated, effectiveInvites, headcounts, activatedCounts } = place
  const shown = { level: 0, activated, effectiveInvites, activeTeams: 0, performance: 0n, headcounts, activatedCounts }
  const { threeLayers, fiveLayers } = overviewOf(shown, 6)
  return [threeLayers.full, fiveLayers.full]
}

describe('a team of thousands', { timeout: 240_000 }, () => {
  it.each(Object.keys(habits))('invited %s is what counting by hand says', async (habit) => {
    const seed = Number(process.env.TEAM_SEED ?? Math.floor(Math.random() * 2 ** 31))
    const below = randomFrom(seed)
    const sponsorOf = habits[habit] ?? (() => 1)
    const sponsors = Array.from({ length: MEMBERS }, (_, index) => (index === 0 ? null : sponsorOf(index + 1, below)))
    database = await createTestDatabase()
    await insertMembers(database.db, sponsors)

    const team = new NaiveTeam()
    const client = new pg.Client({ connectionString: database.ownerUrl })
    await client.connect()
    const events = Array.from(historyOf(team, sponsors, below))
    for (let at = 0; at < events.length; at += BATCH) await client.query(events.slice(at, at + BATCH).join(';'))
    await client.end()

    const kept = await keptPlaces(database.db)
    expect(kept.length).toBe(MEMBERS)
    const wrong = kept.filter((place) => !isDeepStrictEqual(place, team.kept(place.id)))
    const [first] = wrong
    expect({ seed, wrong: wrong.length, first }).toEqual({ seed, wrong: 0, first: first && team.kept(first.id) })
    expect(
      kept.filter(
        (place) =>
          !isDeepStrictEqual(
            fullOf(place),
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
