import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { poolVaultAbi } from '@lode/contracts'
import { sql } from 'kysely'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readClock } from '../../platform/clock/clock.ts'
import { testEnvironment } from '../../testing/api.ts'
import { PASSWORD } from '../../testing/member.ts'
import { type Buyer, type OrderFixture, startOrderFixture } from '../../testing/order-fixture.ts'
import { startServerProcess, type TestProcess } from '../../testing/process.ts'
import { audit, readBalances, readSystemBalances } from '../ledger/index.ts'
import { planWithShortTerms } from './testing/pledge-fixture.ts'

const BTN = 10n ** 18n
const FUNDED = 1_000n

let market: OrderFixture
let faults: string
const running: TestProcess[] = []
beforeAll(async () => {
  ;[market, faults] = await Promise.all([startOrderFixture({ wallets: 2 }), mkdtemp(join(tmpdir(), 'lode-faults-'))])
  await market.publishNextPlan(planWithShortTerms())
}, 180_000)
afterAll(async () => {
  for (const process of running) process.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  await market.close()
  await rm(faults, { recursive: true, force: true })
})

function start(name: 'api' | 'worker'): TestProcess {
  const own =
    name === 'worker'
      ? { DATABASE_URL: market.database.urlOf('lode_worker'), WORKER_PORT: '0', CHAIN_POLL_MS: '25', LOG_LEVEL: 'warn' }
      : { ...testEnvironment(market.database), ...market.apiEnvironment, LOG_LEVEL: 'info' }
  const process = startServerProcess(name, { ...market.environment, ...own, FAULTS: faults })
  running.push(process)
  return process
}

const armFault = (point: string) => writeFile(join(faults, point), '')

/** Queues a job, as the schedule does every minute. A job whose worker died stays locked; this is a new one. */
const queueJob = (job: string) => sql`select graphile_worker.add_job(${job}, job_key => ${job})`.execute(market.db)

/** Mines blocks and queues jobs until the promise settles. */
async function keepRunningUntil<T>(until: Promise<T>): Promise<T> {
  let done = false
  const settled = until.finally(() => {
    done = true
  })
  while (!done) {
    await market.mine(1)
    await Promise.all([queueJob('close-days'), queueJob('return-pledges')])
    await Promise.race([settled.catch(() => {}), new Promise((later) => setTimeout(later, 200))])
  }
  return settled
}

/** The last output of the last process, which tells why an expected change did not happen. */
const lastOutput = () => running.at(-1)?.output().slice(-1_500) ?? ''

const waitFor = (holds: () => Promise<void>) =>
  vi.waitFor(holds, { timeout: 120_000, interval: 100 }).catch((error: Error) => {
    throw new Error(`${error.message}: ${lastOutput()}`, { cause: error })
  })
const held = async ({ id }: Buyer) => readBalances(market.db, id)

async function pledge({ wallet, token }: Buyer, termDays: number): Promise<string> {
  const { body } = await market.api.call(
    'pledge/order',
    {
      account: wallet.address,
      key: randomUUID(),
      planVersion: 2,
      quantity: '10001',
      termDays,
      balancePart: '10001',
      password: PASSWORD,
    },
    { token },
  )
  if (body.code !== 200) throw new Error(JSON.stringify(body))
  return body.data.id
}

let outputs = 0
async function fund(): Promise<void> {
  const funder = market.accountOf('funder')
  await market.approve(funder, 'BTC', FUNDED)
  const { timestamp } = await market.client.getBlock()
  outputs += 1
  const args = [Number(timestamp / 86_400n), FUNDED, { txid: `0x${'ef'.repeat(32)}`, index: outputs }] as const
  const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'fundDividend', args })
  await market.mined(market.send(funder, market.contracts.vault, data))
}

async function nextAfternoon(): Promise<void> {
  const into = ((await readClock(market.db)).getTime() / 1_000) % 86_400
  await market.passTime(Math.round(86_400 + 13 * 3_600 - into))
}

async function readDaysBehind(): Promise<number> {
  const { rows } = await sql<{ behind: number }>`
    select lode.day_of(lode.now()) - 1 - coalesce((select max(day) from lode.production_day), 0) as behind`.execute(
    market.db,
  )
  return rows[0]?.behind ?? Number.NaN
}

const shared = async (): Promise<bigint> => {
  const { rows } = await sql<{ shared: string }>`
    select coalesce(sum(admitted + from_carry) filter (where weight > 0), 0) as shared from lode.production_day`.execute(
    market.db,
  )
  return BigInt(rows[0]?.shared ?? 0)
}

describe('after a kill during the share-out of BTC', { timeout: 900_000 }, () => {
  it('the worker closes each day once, and pays and returns each pledge once', async () => {
    let worker = start('worker')
    const [long, short] = [await market.buyer(), await market.buyer()]
    for (const { wallet } of [long, short]) await market.deposit(wallet, 'BTN', 100_000n * BTN)
    await keepRunningUntil(waitFor(async () => expect((await held(short)).BTN.available).toBe(100_000n * BTN)))
    await pledge(long, 60)
    await nextAfternoon()
    await keepRunningUntil(waitFor(async () => expect(await readDaysBehind()).toBe(0)))

    for (const point of ['worker-before-close-day', 'worker-after-close-day']) {
      await nextAfternoon()
      await fund()
      await keepRunningUntil(waitFor(async () => expect(await readDaysBehind()).toBe(0)))
      await nextAfternoon()
      await armFault(point)
      expect(await keepRunningUntil(worker.ended), `${point} ${lastOutput()}`).toBe('SIGKILL')
      worker = start('worker')
      await keepRunningUntil(waitFor(async () => expect(await readDaysBehind(), point).toBe(0)))
      const balance = await readSystemBalances(market.db)
      expect(balance('dividend:payable', 'BTC'), point).toBe(await shared())
      expect(balance('dividend:payable', 'BTC') + balance('dividend:funded', 'BTC'), point).toBe(
        FUNDED * BigInt(outputs),
      )
    }

    for (const point of [
      ...['worker-before-settle-pledges', 'worker-after-settle-pledges'],
      ...['worker-before-return-pledges', 'worker-after-return-pledges'],
    ]) {
      const before = (await held(short)).BTC.available
      const id = await pledge(short, 1)
      await nextAfternoon()
      await fund()
      await keepRunningUntil(waitFor(async () => expect(await readDaysBehind()).toBe(0)))
      await armFault(point)
      await nextAfternoon()
      expect(await keepRunningUntil(worker.ended), `${point} ${lastOutput()}`).toBe('SIGKILL')
      worker = start('worker')
      await keepRunningUntil(
        waitFor(async () => {
          const { rows } = await sql`
            select paid from lode.pledge
            where id = ${id} and returned_at is not null and settled_at is not null`.execute(market.db)
          expect(rows.length, point).toBe(1)
        }),
      )
      const { BTN: principal, BTC: dividend } = await held(short)
      expect(principal, point).toMatchObject({ available: 100_000n * BTN, pledged: 0n })
      const { rows } = await sql<{ paid: string }>`select paid from lode.pledge where id = ${id}`.execute(market.db)
      expect(dividend.available - before, point).toBe(BigInt(rows[0]?.paid ?? 0))
      expect(dividend.available, point).toBeGreaterThan(before)
    }
    worker.kill('SIGKILL')

    // Kill the api while a member collects: the collection happens wholly or not at all, and once for its key.
    for (const point of ['api-before-collect', 'api-before-commit']) {
      const before = (await held(long)).BTC.available
      const dying = start('api')
      await dying.waitForOutput('Server listening')
      const url = /Server listening at (http:[^"]+)/.exec(dying.output())?.[1]
      await armFault(point)
      const key = randomUUID()
      const press = fetch(`${url}/api/pledge/collect`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${long.token}` },
        body: JSON.stringify({ account: long.wallet.address, key }),
      })
      await expect(press, point).rejects.toThrow('fetch failed')
      expect(await dying.ended, point).toBe('SIGKILL')
      expect((await held(long)).BTC.available, point).toBe(before)
      if (point === 'api-before-collect') continue
      const collect = () => market.api.call('pledge/collect', { account: long.wallet.address, key }, long)
      const [first, second] = [await collect(), await collect()]
      expect(first.body.data).toEqual(second.body.data)
      expect(first.status).toBe(200)
      expect((await held(long)).BTC.available).toBeGreaterThan(before)
    }
    expect((await audit(market.db)).findings).toEqual([])
  })
})
