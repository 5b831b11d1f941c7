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

function createApp(notes: () => Promise<Record<string, string>>) {
  const app = fastify()
  const metrics = createMetrics('health test', connection.pool)
  mountHealth(app, { db: connection.db, metrics, trouble: () => null, notes })
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
