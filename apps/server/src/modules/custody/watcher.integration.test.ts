import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { startTestPool, type TestPool, waitUntil } from '../../testing/pool.ts'
import { startServerProcess } from '../../testing/process.ts'
import { startUnreliableNode } from '../../testing/unreliable-node.ts'
import { readBalances, readLogLines } from '../ledger/index.ts'
import { readPostedBlock } from './index.ts'

const toClose: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close()
})

async function openPool(options: Parameters<typeof startTestPool>[0]) {
  const pool = await startTestPool(options)
  toClose.push(pool.close)
  const [wallet] = pool.wallets as [PrivateKeyAccount]
  const member = await pool.addMember(wallet)
  const credits = async () =>
    (await readLogLines(pool.db, { member, asset: 'USDT', limit: 500 })).map(({ amount }) => amount)
  return { pool, wallet, member, credits }
}

async function expectCustodyToMatch(pool: TestPool): Promise<void> {
  const { books, chain } = await pool.readCustody()
  expect(books).toEqual(chain)
}

describe('two workers at once', { timeout: 60_000 }, () => {
  it('credit every log once', async () => {
    const { pool, wallet, credits } = await openPool({ slotsInAnEpoch: 1, wallets: 1 })
    await Promise.all([pool.startWorker(), pool.startWorker({ CHAIN_POLL_MS: '10' })])
    for (let round = 1n; round <= 30n; round += 1n) await pool.transfer(wallet, 'USDT', round)
    await pool.finalize()
    expect((await credits()).toReversed()).toEqual(Array.from({ length: 30 }, (_, place) => BigInt(place + 1)))
    await expectCustodyToMatch(pool)
  })
})

describe('on a chain that does not report final blocks', () => {
  it('a block counts as final after the configured number of further blocks', async () => {
    const { pool, wallet, credits } = await openPool({ slotsInAnEpoch: 100, wallets: 1 })
    await pool.startWorker({ CHAIN_FINALITY: '3' })
    const hash = await pool.transfer(wallet, 'USDT', 6n)
    const { blockNumber } = await pool.client.getTransactionReceipt({ hash })
    await pool.mine(2)
    await waitUntil(async () => expect((await readPostedBlock(pool.db))?.number).toBe(blockNumber - 1n))
    expect(await credits()).toEqual([])
    await pool.mine(1)
    await waitUntil(async () => expect(await credits()).toEqual([6n]))
  })
})

describe('a worker that is killed', { timeout: 180_000 }, () => {
  it('at any point has credited each log once after the restart', async () => {
    const { pool, wallet, member, credits } = await openPool({ slotsInAnEpoch: 1, wallets: 1 })
    const faults = mkdtempSync(join(tmpdir(), 'lode-faults-'))
    toClose.push(() => rmSync(faults, { recursive: true }))
    const environment = {
      ...pool.environment,
      DATABASE_URL: pool.database.urlOf('lode_worker'),
      WORKER_PORT: '0',
      CHAIN_POLL_MS: '25',
      FAULTS: faults,
    }
    const points = ['after-seen', 'before-credit', 'after-credit', 'before-posted-block', 'after-commit']
    for (const point of points) {
      await pool.transfer(wallet, 'USDT', 10n)
      await pool.mine(3)
      writeFileSync(join(faults, `worker-${point}`), '')
      const worker = startServerProcess('worker', environment)
      toClose.push(() => worker.kill('SIGKILL'))
      expect(await worker.ended, worker.output()).toBe('SIGKILL')
    }
    const posted = await readPostedBlock(pool.db)
    await pool.startWorker()
    await pool.finalize()
    expect((await readPostedBlock(pool.db))?.number).toBeGreaterThan(posted?.number ?? 0n)
    expect(await credits()).toEqual(points.map(() => 10n))
    expect((await readBalances(pool.db, member)).USDT.available).toBe(50n)
    await expectCustodyToMatch(pool)
  })
})

describe('a worker that is behind', { timeout: 180_000 }, () => {
  it('is not ready until it has caught up', async () => {
    const { pool, wallet, credits } = await openPool({ slotsInAnEpoch: 1, wallets: 1 })
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    toClose.push(node.close)
    const worker = await pool.startWorker({ CHAIN_RPC_URL: node.rpcUrl })
    await pool.finalize()
    const readiness = async () => (await fetch(`${worker.url}/readyz`)).json()
    await waitUntil(async () => expect(await readiness()).toMatchObject({ status: 'ready' }))
    node.changeAnswer = ({ method }, answer) =>
      method === 'eth_getLogs' ? { error: { code: -32_005, message: 'limit exceeded' } } : answer
    await pool.node.increaseTime({ seconds: 3_600 })
    await pool.transfer(wallet, 'USDT', 5n)
    await pool.mine(5)
    await waitUntil(async () =>
      expect(await readiness()).toMatchObject({ status: 'the ledger is 60 minutes behind the chain' }),
    )
    node.changeAnswer = (_request, answer) => answer
    await pool.finalize()
    expect(await credits()).toHaveLength(1)
    await waitUntil(async () => expect(await readiness()).toMatchObject({ status: 'ready' }))
  })

  it('catches up over 2,000 blocks, in ranges that the node accepts, before it reads newer blocks', async () => {
    const { pool, wallet, credits } = await openPool({ slotsInAnEpoch: 4, wallets: 1 })
    for (let round = 0; round < 20; round += 1) {
      await pool.transfer(wallet, 'USDT', 5n)
      await pool.mine(100)
    }
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    toClose.push(node.close)
    const accepted: number[] = []
    let refusals = 0
    node.changeAnswer = ({ method, params }, answer) => {
      if (method !== 'eth_getLogs') return answer
      const [{ fromBlock, toBlock, blockHash }] = params as [Record<string, string>]
      if (blockHash) return answer
      const width = Number(toBlock) - Number(fromBlock) + 1
      if (width > 300) {
        refusals += 1
        return { error: { code: -32_005, message: 'query exceeds max block range 300' } }
      }
      accepted.push(width)
      return answer
    }
    await pool.startWorker({ CHAIN_RPC_URL: node.rpcUrl })
    await pool.finalize()
    expect(await credits()).toHaveLength(20)
    expect(Math.max(...accepted)).toBeLessThanOrEqual(300)
    expect(refusals).toBeGreaterThan(0)
    // The worker remembers a smaller range, instead of asking for too much every time.
    expect(refusals).toBeLessThan(accepted.length)
    await expectCustodyToMatch(pool)
  })

  it('posts every log of blocks with many logs', async () => {
    const { pool, wallet, credits } = await openPool({ slotsInAnEpoch: 1, wallets: 1 })
    const nonce = await pool.client.getTransactionCount({ address: wallet.address })
    await pool.node.setAutomine(false)
    await pool.node.setBlockGasLimit({ gasLimit: 300_000_000n })
    let sent = 0
    for (const inBlock of [150, 230, 20]) {
      for (let count = 0; count < inBlock; count += 1)
        await pool.send(wallet, pool.tokens.USDT, pool.transferData(pool.contracts.vault, 1n), nonce + sent++)
      await pool.mine(1)
    }
    await pool.node.setAutomine(true)
    await pool.startWorker()
    await pool.finalize()
    await waitUntil(async () => expect(await credits()).toHaveLength(400))
    await expectCustodyToMatch(pool)
  })
})
