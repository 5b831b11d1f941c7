import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type Database } from '../../platform/db/database.ts'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { registerMember } from '../../testing/member.ts'
import { createTestWallet } from '../../testing/wallet.ts'
import { placeMember, teamFindings } from './index.ts'
import { addActivation } from './testing/add-activation.ts'
import { NaiveTeam } from './testing/naive-team.ts'
import { findContradiction, type PlacedMember } from './testing/placement-order.ts'
import { insertMembers, readStoredPlaces } from './testing/places.ts'

const CLIENTS = 8

/** Each client works through its rounds in order; all clients run in parallel. */
async function runInParallel(rounds: number, work: (client: number, round: number) => Promise<void>): Promise<void> {
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let round = 0; round < rounds; round += 1) await work(client, round)
    }),
  )
}

async function placesOf(db: Database): Promise<Map<number, { parent: number; branch: number }>> {
  const places = await readStoredPlaces(db)
  return new Map(places.flatMap(({ id, parent, branch }) => (parent && branch ? [[id, { parent, branch }]] : [])))
}

describe('eight parallel registrations under one sponsor', { timeout: 120_000 }, () => {
  let api: TestApi
  beforeAll(async () => {
    api = await startTestApi()
  })
  afterAll(() => api.close())

  it('fill the places in order, without a gap', async () => {
    const times = new Map<string, { asked: number; answered: number }>()
    await runInParallel(15, async () => {
      const wallet = createTestWallet()
      const asked = performance.now()
      await registerMember(api, wallet)
      times.set(wallet.account, { asked, answered: performance.now() })
    })
    const { rows } = await sql<{ id: bigint; account: string }>`
      select id, encode(account, 'hex') as account from lode.member where sponsor_id is not null`.execute(api.db)
    const accounts = new Map(Array.from(times, ([account, time]) => [account.slice(2).toLowerCase(), time]))
    const places = await placesOf(api.db)
    const placed = rows.map(({ id, account }): PlacedMember => {
      const place = places.get(Number(id))
      const time = accounts.get(account)
      if (!place || !time) throw new Error(`member ${id} is not placed`)
      return { id: Number(id), sponsor: 1, ...place, ...time }
    })
    expect(placed.length).toBe(15 * CLIENTS)
    const root = new NaiveTeam()
    root.place(1, null)
    expect(findContradiction(root, placed)).toBeNull()
    expect(await teamFindings(api.db)).toEqual([])
  })
})

describe('eight parallel registrations under sponsors below each other', { timeout: 240_000 }, () => {
  let database: TestDatabase
  let clients: { db: Database; close(): Promise<void> }
  beforeAll(async () => {
    database = await createTestDatabase()
    clients = connectDatabase(database.urlOf('lode_api'), { name: 'crowd', max: CLIENTS })
  })
  afterAll(async () => {
    await clients.close()
    await database.drop()
  })

  it('each take the first open place below the sponsor, while some are rolled back and some activated', async () => {
    const ROUNDS = 60
    // A chain of six, then everybody below one of them, so that the inviters compete for the same places.
    const chain = [null, 1, 2, 3, 4, 5]
    const crowd = Array.from({ length: CLIENTS * ROUNDS }, () => 1 + Math.floor(Math.random() * chain.length))
    await insertMembers(database.db, [...chain, ...crowd])
    const before = new NaiveTeam()
    for (const [index, sponsor] of chain.entries()) {
      before.place(index + 1, sponsor)
      await database.db.transaction().execute((trx) => placeMember(trx, BigInt(index + 1)))
    }

    class RolledBack extends Error {}
    const place = (id: number, rollBack: boolean) =>
      clients.db.transaction().execute(async (trx) => {
        await placeMember(trx, BigInt(id))
        // Another registration that wants this place meets a transaction that is still open.
        await sleep(Math.random() * 4)
        if (rollBack) throw new RolledBack()
      })
    const times = new Map<number, { asked: number; answered: number }>()
    let rollbacks = 0
    await runInParallel(ROUNDS, async (client, round) => {
      const id = chain.length + 1 + client * ROUNDS + round
      if (Math.random() < 0.2) {
        await expect(place(id, true)).rejects.toThrow(RolledBack)
        rollbacks += 1
      }
      const asked = performance.now()
      await place(id, false)
      times.set(id, { asked, answered: performance.now() })
      if (Math.random() < 0.3) await addActivation(database.db, BigInt(id))
    })

    const places = await placesOf(database.db)
    const placed = crowd.map((sponsor, index): PlacedMember => {
      const id = chain.length + 1 + index
      const found = places.get(id)
      const time = times.get(id)
      if (!found || !time) throw new Error(`member ${id} is not placed`)
      return { id, sponsor, ...found, ...time }
    })
    expect(findContradiction(before, placed)).toBeNull()
    expect(await teamFindings(database.db)).toEqual([])
    expect(rollbacks).toBeGreaterThan(20)
  })
})
