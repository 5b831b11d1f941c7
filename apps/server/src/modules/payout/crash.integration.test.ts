import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startServerProcess, type TestProcess } from '../../testing/process.ts'
import { readBalances } from '../ledger/index.ts'
import { type PayingMember, type PayingPool, startPayingPool } from './testing/paying-pool.ts'

const MIN_AMOUNT = 10_000_000n

let pool: PayingPool
let member: PayingMember
let faults: string
const running: TestProcess[] = []
beforeAll(async () => {
  ;[pool, faults] = await Promise.all([startPayingPool({ wallets: 1 }), mkdtemp(join(tmpdir(), 'lode-faults-'))])
  const worker = await pool.startWorker()
  member = await pool.addPayingMember((pool.wallets as [PrivateKeyAccount])[0], { USDT: 20_000_000_000n })
  await worker.close()
}, 60_000)
afterAll(async () => {
  for (const process of running) process.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  await pool.close()
  await rm(faults, { recursive: true, force: true })
})

const common = () => ({
  ...pool.environment,
  FAULTS: faults,
  LOG_LEVEL: 'warn',
})
const environmentOf = {
  worker: () => ({
    ...common(),
    DATABASE_URL: pool.database.urlOf('lode_worker'),
    WORKER_PORT: '0',
    CHAIN_POLL_MS: '25',
  }),
  signer: () => ({
    ...common(),
    DATABASE_URL: pool.database.urlOf('lode_signer'),
    SIGNER_PORT: '0',
    SIGNER_POLL_MS: '25',
    PAYER_KEY: pool.keys.payer,
    SIGNER_JOURNAL: join(pool.folder, 'signer.journal'),
    SIGNER_STUCK_AFTER_MS: '50',
  }),
}

function start(name: 'worker' | 'signer'): TestProcess {
  const process = startServerProcess(name, environmentOf[name]())
  running.push(process)
  return process
}

/** A process starts slowly on a busy machine. */
const waitFor = (holds: () => Promise<void>) => vi.waitFor(holds, { timeout: 60_000, interval: 25 })

/** Mines a block now and then until the promise settles. */
async function mineUntil<T>(until: Promise<T>): Promise<T> {
  let done = false
  const settled = until.finally(() => {
    done = true
  })
  while (!done) {
    await pool.mine(1)
    await Promise.race([settled.catch(() => {}), new Promise((later) => setTimeout(later, 50))])
  }
  return settled
}

describe('a signer or worker that is killed while it handles a transfer', { timeout: 300_000 }, () => {
  it('is replaced by another, and the transfer is paid once, for every fault point', async () => {
    const alive = { worker: [start('worker'), start('worker')], signer: [start('signer'), start('signer')] }
    for (const point of [
      ...[
        'signer-before-store',
        'signer-after-store',
        'signer-before-journal',
        'signer-after-journal',
        'signer-before-send',
        'signer-after-send',
      ],
      ...['signer-before-bump', 'signer-after-bump'],
      ...['worker-before-settle', 'worker-after-settle', 'worker-before-end-release', 'worker-after-end-release'],
    ]) {
      const name = point.startsWith('signer') ? 'signer' : 'worker'
      const held = await pool.balanceOf('USDT', member.wallet.address)
      const { available } = (await readBalances(pool.db, member.id)).USDT
      await writeFile(join(faults, point), '')
      await pool.node.setAutomine(!point.endsWith('bump'))
      const id = await pool.request(member, 'USDT', MIN_AMOUNT)
      const dead = Promise.race(alive[name].map((process) => process.ended.then((how) => ({ process, how }))))
      const { process, how } = await (point.endsWith('bump') ? dead : mineUntil(dead))
      expect(how, point).toBe('SIGKILL')
      await pool.node.setAutomine(true)
      alive[name] = [...alive[name].filter((other) => other !== process), start(name)]
      await mineUntil(
        waitFor(async () => {
          const { rows } = await sql`select from lode.release where ended_at is null`.execute(pool.db)
          expect(await pool.payout(id), point).toMatchObject({ ended: 'final' })
          expect(rows, point).toEqual([])
        }),
      )
      expect((await pool.balanceOf('USDT', member.wallet.address)) - held, point).toBe(MIN_AMOUNT)
      const now = (await readBalances(pool.db, member.id)).USDT
      expect(available - now.available, point).toBe(MIN_AMOUNT + pool.terms.USDT.fee)
      expect(now.frozenOut, point).toBe(0n)
    }
    const { rows } = await sql<{ nonces: bigint; next: bigint }>`
      select count(*) as nonces, max(nonce) + 1 as next from lode.release`.execute(pool.db)
    expect(rows[0]?.nonces).toBe(rows[0]?.next)
  })
})
