import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBalances } from '../modules/ledger/index.ts'
import { PASSWORD } from '../testing/member.ts'
import { type Buyer, type OrderFixture, startOrderFixture } from '../testing/order-fixture.ts'
import { waitUntil } from '../testing/pool.ts'
import type { RunningWorker } from './worker.ts'

const DAY_SECONDS = 86_400
const CHECKED = { CLOCK_MAX_DIFFERENCE_SECONDS: '600' }
const QUANTITY = 10_001n * 10n ** 18n

let market: OrderFixture
let buyer: Buyer
let worker: RunningWorker
beforeAll(async () => {
  market = await startOrderFixture({ wallets: 1 })
  worker = await market.startWorker(CHECKED)
  buyer = await market.buyer()
  await market.deposit(buyer.wallet, 'BTN', QUANTITY)
  await market.finalize()
  const { status, body } = await market.api.call(
    'pledge/order',
    {
      account: buyer.wallet.address,
      key: randomUUID(),
      planVersion: 1,
      quantity: '10001',
      termDays: 30,
      balancePart: '10001',
      password: PASSWORD,
    },
    buyer,
  )
  if (status !== 200) throw new Error(JSON.stringify(body))
}, 120_000)
afterAll(() => market.close())

/** Moves the database's clock alone, as an operator or a broken time server can. */
const shiftDatabase = (seconds: number) =>
  sql`update lode.clock set shift = shift + make_interval(secs => ${seconds})`.execute(market.db)

const readiness = async () =>
  ((await (await fetch(new URL('/readyz', worker.url))).json()) as { status: string }).status

const isReady = () => waitUntil(async () => expect(await readiness()).toBe('ready'))

/** Runs the tasks that depend on the time, as the schedule does every minute, until the queue is empty. */
async function runTimedTasks(): Promise<void> {
  for (const task of ['close-days', 'return-pledges', 'sweep-sessions'])
    await sql`select graphile_worker.add_job(${task}, job_key => ${task})`.execute(market.db)
  await waitUntil(async () => {
    const { rows } = await sql`select from graphile_worker.jobs`.execute(market.db)
    expect(rows).toHaveLength(0)
  })
}

const held = async () => (await readBalances(market.db, buyer.id)).BTN.available
const count = async (table: 'production_day' | 'session') => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(`lode.${table}`)}`.execute(market.db)
  return rows[0]?.count
}

describe('a database clock that jumps ahead of the chain', { timeout: 60_000 }, () => {
  it('returns no pledge, closes no day and ends no session; the worker continues when both agree again', async () => {
    await isReady()
    const [days, sessions] = [await count('production_day'), await count('session')]
    await shiftDatabase(40 * DAY_SECONDS)
    await runTimedTasks()
    await waitUntil(async () =>
      expect(await readiness()).toMatch(
        /576\d\d minutes ahead.*: the database says 20\S+Z, the newest block is of 20\S+Z/,
      ),
    )
    expect(await held()).toBe(0n)
    expect([await count('production_day'), await count('session')]).toEqual([days, sessions])
    expect(await (await fetch(new URL('/metrics', worker.url))).text()).toMatch(/lode_clock_wrong\{.*\} 1/)

    await shiftDatabase(-40 * DAY_SECONDS)
    await isReady()
    await market.passTime(40 * DAY_SECONDS)
    await waitUntil(async () => {
      await runTimedTasks()
      expect(await held()).toBe(QUANTITY)
    })
    await isReady()
    expect(await (await fetch(new URL('/metrics', worker.url))).text()).toMatch(/lode_clock_wrong\{.*\} 0/)
  })

  it('is found by a task at once, even if the chain was not looked at since', async () => {
    await worker.close()
    worker = await market.startWorker({ ...CHECKED, CHAIN_POLL_MS: '60000' })
    await isReady()
    const sessions = await count('session')
    await shiftDatabase(40 * DAY_SECONDS)
    await runTimedTasks()
    expect(await count('session')).toBe(sessions)
    await shiftDatabase(-40 * DAY_SECONDS)
  })

  it('is told from a chain that stands still only after a newer block came', async () => {
    await worker.close()
    await shiftDatabase(DAY_SECONDS)
    worker = await market.startWorker(CHECKED)
    await waitUntil(async () => expect(await readiness()).toContain('the chain stands still, or the database'))
    // The development node gives all blocks of one second the same time, so one block may not be a newer one.
    await waitUntil(async () => {
      await market.mine(1)
      expect(await readiness()).toMatch(/^the database's clock is 14\d\d minutes ahead/)
    })
    await shiftDatabase(-DAY_SECONDS)
    await isReady()
  })
})

describe('a worker that is not told to compare', { timeout: 60_000 }, () => {
  it('does not: time is shifted on purpose in development and tests', async () => {
    await worker.close()
    worker = await market.startWorker()
    await shiftDatabase(DAY_SECONDS)
    await sleep(500)
    await isReady()
    await shiftDatabase(-DAY_SECONDS)
  })
})
