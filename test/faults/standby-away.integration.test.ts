import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '@lode/scripts/postgres'
import { freePort, type RunningProcess } from '@lode/scripts/process'
import { startApi } from '@lode/scripts/server'
import { migrate } from '@lode/server'
import pg from 'pg'
import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountOf, fillPool, tokenOf } from '../bench/growth/fill-pool.ts'
import { settingsOf } from '../bench/promotion-pool.ts'

/** Members with a pledge and dividends to collect, see `fill-pool.ts`. */
const [ONE, OTHER] = [22, 42]
const [READER, IDLE, ENDED] = [62, 82, 102]
const CROWD = Array.from({ length: 14 }, (_, n) => 122 + 20 * n)
/** A pool has ten connections. Half as many more may still wait in the server. */
const MOST_BACKENDS = 15

let folder: string
let postgres: Postgres
let owner: pg.Client
let api: RunningProcess
let origin: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lode-standby-'))
  const major = process.env.PG_MAJOR === '15' ? '15' : '18'
  postgres = await startPostgres({ dataFolder: folder, port: await freePort(), durable: true, major })
  await migrate({ ownerUrl: postgres.url(), profile: 'production' })
  await fillPool(postgres.url(), 400)
  owner = new pg.Client({ connectionString: postgres.url() })
  await owner.connect()
  const settings = settingsOf(postgres.url(), await freePort())
  origin = settings.publicOrigin
  api = await startApi(settings)
}, 120_000)
afterAll(async () => {
  await api?.stop()
  await owner?.end()
  await postgres?.stop('SIGINT')
  await rm(folder, { recursive: true, force: true })
})

async function setForAll(name: string, value: string | null): Promise<void> {
  await owner.query(value === null ? `alter system reset ${name}` : `alter system set ${name} = ${value}`)
  await owner.query('select pg_reload_conf()')
}

type Answer = { readonly status: number; readonly body: { readonly data: { amount: string }; readonly error: string } }

const headersOf = (member: number) => ({
  authorization: `Bearer ${tokenOf(member)}`,
  'content-type': 'application/json',
})

async function answerOf(response: Promise<Response>): Promise<Answer> {
  const { status, json } = await response.then(async (one) => ({ status: one.status, json: await one.json() }))
  return { status, body: json as Answer['body'] }
}

const collect = (member: number, key: string) =>
  answerOf(
    fetch(`${origin}/api/pledge/collect`, {
      method: 'POST',
      headers: headersOf(member),
      body: JSON.stringify({ account: getAddress(accountOf(member)), key }),
    }),
  )

const readOverview = (member: number) =>
  answerOf(
    fetch(`${origin}/api/pledge/overview?account=${getAddress(accountOf(member))}&_t=${Date.now()}`, {
      headers: headersOf(member),
    }),
  )

const statusesOf = async (answers: Promise<Answer>[]) => (await Promise.all(answers)).map(({ status }) => status)

/** Every session is due to be moved by the next call, one is idle for too long, and one has ended. */
async function ageSessions(): Promise<void> {
  await owner.query("update lode.session set last_action_at = now() - interval '2 minutes'")
  await owner.query(`update lode.session set last_action_at = now() - interval '31 minutes' where member_id = ${IDLE}`)
  await owner.query(`delete from lode.session where member_id = ${ENDED}`)
}

const countWaiting = async (query: string): Promise<number> =>
  (
    await owner.query(
      "select from pg_stat_activity where wait_event = 'SyncRep' and query like $1 and application_name = 'lode api'",
      [query],
    )
  ).rowCount ?? 0

async function readiness(): Promise<[number, string]> {
  const response = await fetch(`${origin}/readyz`)
  return [response.status, ((await response.json()) as { status: string }).status]
}

const countTransactions = async (): Promise<number> =>
  (await owner.query(`select from lode.ledger_transaction where member = ${ONE}`)).rowCount ?? 0

describe('a primary whose standby is away', { timeout: 60_000 }, () => {
  it('commits nothing: the api says so, and the same command is answered once the standby is back', async () => {
    expect(await readiness()).toEqual([200, 'ready'])
    const before = await countTransactions()
    await ageSessions()
    await setForAll('synchronous_standby_names', "'gone'")
    const key = randomUUID()
    try {
      const began = performance.now()
      const refused = collect(ONE, key)
      await expect.poll(readiness, { timeout: 5_000 }).toEqual([503, 'commits do not return'])
      expect(await refused).toMatchObject({ status: 503 })
      expect(performance.now() - began).toBeLessThan(12_000)
      expect(await statusesOf([ONE, READER, READER, IDLE, ENDED].map(readOverview))).toEqual([200, 200, 200, 401, 401])
      for (let round = 0; round < 2; round += 1) {
        const crowd = await statusesOf(CROWD.map((member) => collect(member, randomUUID())))
        expect(new Set(crowd)).toEqual(new Set([503]))
        expect(await statusesOf([READER, IDLE, ENDED].map(readOverview))).toEqual([200, 401, 401])
      }
      expect(await countWaiting('%')).toBeLessThanOrEqual(MOST_BACKENDS)
      expect(await readiness()).toEqual([503, 'commits do not return'])
      expect(await countWaiting('%pg_logical_emit_message%')).toBe(1)
    } finally {
      await setForAll('synchronous_standby_names', null)
    }
    // Commands are refused until half of the pool has its late answers.
    await expect.poll(async () => (await collect(ONE, key)).status, { timeout: 5_000 }).toBe(200)
    const answered = await collect(ONE, key)
    expect(Number(answered.body.data.amount)).toBeGreaterThan(0)
    expect((await countTransactions()) - before).toBe(1)
    await expect.poll(readiness, { timeout: 5_000 }).toEqual([200, 'ready'])
  })
})

describe('a primary that became a standby', { timeout: 60_000 }, () => {
  it('is read-only: the api still shows everything, refuses commands until it can write again, and is not ready', async () => {
    await ageSessions()
    await setForAll('default_transaction_read_only', 'on')
    try {
      await expect.poll(readiness, { timeout: 5_000 }).toEqual([503, 'the database is read-only'])
      expect(await collect(OTHER, randomUUID())).toMatchObject({ status: 503 })
      expect(await statusesOf([OTHER, READER, IDLE, ENDED].map(readOverview))).toEqual([200, 200, 401, 401])
    } finally {
      await setForAll('default_transaction_read_only', null)
    }
    await expect.poll(readiness, { timeout: 5_000 }).toEqual([200, 'ready'])
    expect((await collect(OTHER, randomUUID())).status).toBe(200)
  })
})
