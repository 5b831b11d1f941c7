import { setTimeout as sleep } from 'node:timers/promises'
import { fastify } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { connectDatabase, type DatabaseConnection } from '../db/database.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { mountHealth } from './health.ts'

let database: TestDatabase
let connection: DatabaseConnection
beforeAll(async () => {
  database = await createTestDatabase()
  connection = connectDatabase(database.urlOf('lode_api'), { name: 'health test', max: 2 })
})
afterAll(async () => {
  await connection.close()
  await database.drop()
})

function createApp(notes: () => Promise<Record<string, string>>, { db, pool } = connection) {
  const app = fastify()
  const metrics = createMetrics('health test', pool)
  mountHealth(app, { db, metrics, trouble: () => null, notes })
  return app
}

it('a process whose notes cannot be read is ready, and says that they are not known', async () => {
  const app = createApp(() => Promise.reject(new Error('a bad row')))
  const answer = await app.inject('/readyz')
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ready', notes: 'not known' }])
})

it('a process whose notes are slow answers within two seconds, and reads them once at a time', async () => {
  let reads = 0
  const app = createApp(async () => {
    reads += 1
    await sleep(3_000)
    return { worker: 'away' }
  })
  for (let request = 0; request < 2; request += 1) {
    const began = performance.now()
    const answer = await app.inject('/readyz')
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ready', notes: 'not known' }])
    expect(performance.now() - began).toBeLessThan(2_000)
  }
  expect(reads).toBe(1)
})

it.each([
  [2_500, 200, { status: 'ready' }],
  [6_000, 503, { status: 'database unavailable' }],
])('a process whose only connection is busy for %d ms does not say that commits wait', async (busyMs, code, told) => {
  const single = connectDatabase(database.urlOf('lode_api'), { name: 'busy test', max: 1 })
  let taken = 0
  let held: Promise<void> | undefined
  single.pool.on('acquire', () => {
    taken += 1
    // The second read of the migrations has the connection. The next in line gets it before the commit does.
    if (taken === 2)
      held = single.pool.connect().then(async (client) => {
        await sleep(busyMs)
        client.release()
      })
  })
  const answer = await createApp(async () => ({}), single).inject('/readyz')
  expect([answer.statusCode, answer.json()]).toEqual([code, told])
  expect(held).toBeDefined()
  await held
  await single.close()
})
