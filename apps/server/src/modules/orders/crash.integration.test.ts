import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { testEnvironment } from '../../testing/api.ts'
import { PASSWORD } from '../../testing/member.ts'
import { type Buyer, type OrderFixture, startOrderFixture } from '../../testing/order-fixture.ts'
import { startServerProcess, type TestProcess } from '../../testing/process.ts'
import { codeOf, readBalances } from '../ledger/index.ts'

const PRICE = 100_000_000n
const SETTLING = [
  ...['worker-before-credit', 'worker-after-credit', 'worker-before-settle-order', 'worker-after-settle-order'],
  ...['worker-before-posted-block', 'worker-after-commit'],
]
const CLOSING = ['worker-before-close-order', 'worker-after-close-order']

let market: OrderFixture
let faults: string
const running: TestProcess[] = []
beforeAll(async () => {
  ;[market, faults] = await Promise.all([startOrderFixture({ wallets: 12 }), mkdtemp(join(tmpdir(), 'lode-faults-'))])
}, 120_000)
afterAll(async () => {
  for (const process of running) process.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  await market.close()
  await rm(faults, { recursive: true, force: true })
})

const common = () => ({ FAULTS: faults })

function start(name: 'api' | 'worker'): TestProcess {
  const own =
    name === 'worker'
      ? { DATABASE_URL: market.database.urlOf('lode_worker'), WORKER_PORT: '0', CHAIN_POLL_MS: '25', LOG_LEVEL: 'warn' }
      : { ...testEnvironment(market.database), ...market.apiEnvironment, LOG_LEVEL: 'info' }
  const process = startServerProcess(name, { ...market.environment, ...own, ...common() })
  running.push(process)
  return process
}

/** Mines a block every 50 ms until the promise settles. */
async function mineUntil<T>(until: Promise<T>): Promise<T> {
  let done = false
  const settled = until.finally(() => {
    done = true
  })
  while (!done) {
    await market.mine(1)
    await Promise.race([settled.catch(() => {}), new Promise((later) => setTimeout(later, 50))])
  }
  return settled
}

const waitFor = (holds: () => Promise<void>) => vi.waitFor(holds, { timeout: 60_000, interval: 25 })
const held = async ({ id }: Buyer) => (await readBalances(market.db, id)).USDT

describe('after a kill during an order', { timeout: 300_000 }, () => {
  it('the worker settles the order once, or closes it once, at every fault point', async () => {
    let worker = start('worker')
    const cold = await market.buyer()
    await market.deposit(cold.wallet, 'USDT', 10_000_000n)
    await mineUntil(waitFor(async () => expect((await held(cold)).available).toBe(10_000_000n)))

    for (const point of SETTLING) {
      const buyer = await market.buyer()
      const order = await market.placeOrder(buyer)
      await writeFile(join(faults, point), '')
      await market.pay(buyer.wallet, order.quote)
      expect(await mineUntil(worker.ended), point).toBe('SIGKILL')
      worker = start('worker')
      await mineUntil(waitFor(async () => expect((await market.readOrder(buyer, order.id)).status, point).toBe(1)))
      expect((await market.readOverview(buyer)).level, point).toBe(1)
      const { rows } =
        await sql`select from lode.ledger_transaction where type = ${codeOf('type.promotionPaid')} and key like ${'%'}
        and exists (select from lode.pay_order where id = ${order.id} and settlement is not null)`.execute(market.db)
      expect(rows.length, point).toBe(SETTLING.indexOf(point) + 1)
    }

    for (const point of CLOSING) {
      const order = await market.placeOrder(cold, { balancePart: '10' })
      await market.cancelOrder(cold, order.id)
      await writeFile(join(faults, point), '')
      await market.passTime(31 * 60)
      expect(await mineUntil(worker.ended), point).toBe('SIGKILL')
      worker = start('worker')
      await mineUntil(waitFor(async () => expect((await market.readOrder(cold, order.id)).status, point).toBe(0)))
      expect(await held(cold), point).toMatchObject({ available: 10_000_000n, frozenOrder: 0n })
    }
  })

  it('the api has made a promotion from the balance wholly or not at all, and the same key works again', async () => {
    const worker = start('worker')
    const buyer = await market.buyer()
    await market.deposit(buyer.wallet, 'USDT', PRICE)
    await mineUntil(waitFor(async () => expect((await held(buyer)).available).toBe(PRICE)))
    const dying = start('api')
    await dying.waitForOutput('Server listening')
    const url = /Server listening at (http:[^"]+)/.exec(dying.output())?.[1]
    await writeFile(join(faults, 'api-before-commit'), '')
    const ordering = { key: randomUUID(), planVersion: 1, level: 1, balancePart: '100', password: PASSWORD }
    const press = fetch(`${url}/api/promotion/order`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${buyer.token}` },
      body: JSON.stringify({ account: buyer.wallet.address, ...ordering }),
    })
    await expect(press).rejects.toThrow('fetch failed')
    expect(await dying.ended).toBe('SIGKILL')
    expect([(await market.readOverview(buyer)).level, (await held(buyer)).available]).toEqual([0, PRICE])

    const first = await market.placeOrder(buyer, ordering)
    expect(first).toMatchObject({ status: 1, method: 2, quote: null })
    expect((await market.placeOrder(buyer, ordering)).id).toBe(first.id)
    expect([(await market.readOverview(buyer)).level, (await held(buyer)).available]).toEqual([1, 0n])
    worker.kill('SIGKILL')
  })
})
