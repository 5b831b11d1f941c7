import { setTimeout as sleep } from 'node:timers/promises'
import { poolVaultAbi } from '@lode/contracts'
import { encodeEventTopics, encodeFunctionData, type Hex, numberToHex, zeroHash } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import type { RunningWorker } from '../../processes/worker.ts'
import { startUnreliableNode, type UnreliableNode } from '../../testing/node.ts'
import { soon, startTestPool, type TestPool } from '../../testing/pool.ts'
import { balances } from '../ledger/index.ts'
import { postedBlock, resumeChain } from './index.ts'

const toClose: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close()
})

/** A pool with one member, whose worker follows the chain through a node that can lie. */
async function followed() {
  const pool = await startTestPool({ slotsInAnEpoch: 2, wallets: 1 })
  toClose.push(pool.close)
  const node = await startUnreliableNode(pool.anvil.rpcUrl)
  toClose.push(node.close)
  const [wallet] = pool.wallets as [PrivateKeyAccount]
  const member = await pool.addMember(wallet)
  const worker = await pool.startWorker({ CHAIN_RPC_URL: node.rpcUrl, CHAIN_BELIEVED_AFTER_MS: '500' })
  await pool.finalize()
  return { pool, node, wallet, member, worker }
}

async function readiness(worker: RunningWorker): Promise<{ code: number; status: string }> {
  const response = await fetch(`${worker.url}/readyz`)
  const { status } = (await response.json()) as { status: string }
  return { code: response.status, status }
}

const stops = (worker: RunningWorker, because: string | RegExp) =>
  soon(async () => {
    const { code, status } = await readiness(worker)
    expect(code).toBe(503)
    expect(status).toMatch(/^stopped: /)
    expect(status).toMatch(because)
  })

/** Expects that the watcher stays stopped when further blocks are final, and in a new process too. */
async function staysStopped(pool: TestPool, member: bigint, because: string): Promise<void> {
  const posted = await postedBlock(pool.db)
  await pool.mine(10)
  const again = await pool.startWorker()
  await stops(again, because)
  expect(await postedBlock(pool.db)).toEqual(posted)
  expect((await balances(pool.db, member)).USDT.available).toBe(0n)
  await again.close()
}

describe('following the chain stops, says so, and credits nothing', { timeout: 90_000 }, () => {
  it('where the node is suddenly of another chain, until an operator resumes it', async () => {
    const { pool, node, wallet, member, worker } = await followed()
    node.alter = ({ method }, answer) => (method === 'eth_chainId' ? { result: '0x1' } : answer)
    await stops(worker, 'is of chain 1, not of 31337')
    await pool.transfer(wallet, 'USDT', 50n)
    await staysStopped(pool, member, 'is of chain 1')

    const metrics = await (await fetch(`${worker.url}/metrics`)).text()
    expect(metrics).toMatch(/lode_chain_stopped\{.*\} 1/)

    node.alter = (_request, answer) => answer
    expect(await resumeChain(pool.db)).toContain('is of chain 1')
    expect(await resumeChain(pool.db)).toBeNull()
    await pool.finalize()
    expect((await balances(pool.db, member)).USDT.available).toBe(50n)
    expect(await readiness(worker)).toEqual({ code: 200, status: 'ready' })
  })

  it('where a block that was final is another one now', async () => {
    const { pool, wallet, member, worker } = await followed()
    await pool.reorganise(8)
    await stops(worker, 'was final as')
    await pool.transfer(wallet, 'USDT', 50n)
    await staysStopped(pool, member, 'was final as')
    // If an operator resumes without removing the cause, the watcher stops again.
    await resumeChain(pool.db)
    await stops(worker, 'was final as')
  })

  it('where the chain is shorter than what was final on it', async () => {
    const { pool, worker } = await followed()
    await pool.rollBack(8)
    await stops(worker, 'which was final')
  })

  it('but not where one node is behind and another does not answer', async () => {
    const { pool, node, worker } = await followed()
    await worker.close()
    const away = await startUnreliableNode(pool.anvil.rpcUrl)
    toClose.push(away.close)
    away.mood = 'fail'
    const both = { CHAIN_RPC_URL: `${node.rpcUrl},${away.rpcUrl}`, CHAIN_BELIEVED_AFTER_MS: '0' }
    await pool.rollBack(8)
    const again = await pool.startWorker(both)
    await soon(async () => {
      const metrics = await (await fetch(`${again.url}/metrics`)).text()
      const failures = /node_failures_total\{.*\} (\d+)/.exec(metrics)?.[1]
      expect(Number(failures)).toBeGreaterThan(4)
    })
    expect(await readiness(again)).toEqual({ code: 200, status: 'ready' })
    expect((await resumeChain(pool.db)) ?? 'not stopped').toBe('not stopped')
  })

  it('where another chain with the same id stands behind the node', async () => {
    const { pool, node, worker, member } = await followed()
    const other = await startTestPool({ slotsInAnEpoch: 2, wallets: 1, database: pool.database })
    toClose.push(other.close)
    await other.mine(100)
    node.target = other.anvil.rpcUrl
    await stops(worker, /was final as|begins with/)
    expect((await balances(pool.db, member)).USDT.available).toBe(0n)
  })

  it('where the chain did not begin as it should, before anything is posted', async () => {
    const pool = await startTestPool({ wallets: 1 })
    toClose.push(pool.close)
    await pool.mine(10)
    const worker = await pool.startWorker({ CHAIN_GENESIS_HASH: zeroHash })
    await stops(worker, 'begins with')
    expect(await postedBlock(pool.db)).toBeNull()
  })

  it('where a node that comes later did not begin as the first', async () => {
    const { pool, worker, node } = await followed()
    await worker.close()
    node.alter = ({ method, params }, answer) =>
      method === 'eth_getBlockByNumber' && params[0] === '0x0'
        ? { result: { ...(answer.result as object), hash: zeroHash } }
        : answer
    await stops(await pool.startWorker({ CHAIN_RPC_URL: node.rpcUrl }), 'begins with 0x0000')
  })

  it('but not where a node has no first block, as when it was just started', async () => {
    const { pool, wallet, member, worker, node } = await followed()
    await worker.close()
    node.alter = ({ method, params }, answer) =>
      method === 'eth_getBlockByNumber' && params[0] === '0x0' ? { result: null } : answer
    const again = await pool.startWorker({ CHAIN_RPC_URL: node.rpcUrl })
    await pool.transfer(wallet, 'USDT', 4n)
    await sleep(1_000)
    expect(await resumeChain(pool.db)).toBeNull()
    node.alter = (_request, answer) => answer
    await pool.finalize()
    expect((await balances(pool.db, member)).USDT.available).toBe(4n)
    expect((await readiness(again)).code).toBe(200)
  })

  it('where money left and nothing says why, when the node has said so for a while', async () => {
    const { pool, wallet, member, worker } = await followed()
    await pool.transfer(wallet, 'USDT', 50n)
    await pool.finalize()
    await worker.close()
    await pool.node.impersonateAccount({ address: pool.contracts.vault })
    await pool.node.setBalance({ address: pool.contracts.vault, value: 10n ** 18n })
    await pool.node.sendTransaction({
      account: pool.contracts.vault,
      to: pool.tokens.USDT,
      chain: null,
      data: pool.transferData(wallet.address, 20n),
    })
    await pool.mine(6)
    const startedAt = performance.now()
    const again = await pool.startWorker({ CHAIN_BELIEVED_AFTER_MS: '4000' })
    await stops(again, 'nothing says why')
    expect(performance.now() - startedAt).toBeGreaterThan(4_000)
    expect((await balances(pool.db, member)).USDT.available).toBe(50n)
  })

  it('where the configured token is not the vault’s', async () => {
    const pool = await startTestPool({ wallets: 1 })
    toClose.push(pool.close)
    await stops(await pool.startWorker({ USDT_DECIMALS: '18' }), 'USDT_DECIMALS is 18, but the token has 6')
    await stops(await pool.startWorker({ USDT_ADDRESS: pool.contracts.btc }), 'USDT_ADDRESS is')
  })

  it('where the vault paid out what nobody asked for', async () => {
    const { pool, wallet, worker } = await followed()
    await pool.transfer(wallet, 'USDT', 50n)
    await pool.finalize()
    const payout = { id: zeroHash, token: pool.contracts.usdt, to: wallet.address, amount: 20n }
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'release', args: [[payout]] })
    await pool.mined(pool.send(pool.key('payer'), pool.contracts.vault, data))
    await pool.mine(6)
    await stops(worker, 'which nobody asked for')
  })

  it('but not where a node says for a moment what cannot be of a payout', async () => {
    const { pool, node, wallet, member, worker } = await followed()
    await worker.close()
    await pool.mine(1)
    const block = await pool.client.getBlock()
    const repeated = {
      address: pool.contracts.vault,
      data: '0x',
      removed: false,
      topics: [...encodeEventTopics({ abi: poolVaultAbi, eventName: 'PayoutRepeated' }), zeroHash],
      blockNumber: numberToHex(block.number),
      blockHash: block.hash,
      transactionHash: zeroHash,
      transactionIndex: '0x0',
      logIndex: '0x0',
    }
    node.alter = ({ method, params }, answer) => {
      const [filter] = params as [{ fromBlock: Hex; toBlock: Hex; topics: unknown[] }]
      const isAsked =
        method === 'eth_getLogs' &&
        filter.topics.length === 0 &&
        BigInt(filter.fromBlock) <= block.number &&
        BigInt(filter.toBlock) >= block.number
      return isAsked ? { result: [...(answer.result as object[]), repeated] } : answer
    }
    await pool.mine(6)
    const again = await pool.startWorker({ CHAIN_RPC_URL: node.rpcUrl })
    await soon(async () => {
      const metrics = await (await fetch(`${again.url}/metrics`)).text()
      expect(Number(/node_failures_total\{.*\} (\d+)/.exec(metrics)?.[1])).toBeGreaterThan(2)
    })
    expect(await resumeChain(pool.db)).toBeNull()
    node.alter = (_request, answer) => answer
    await pool.transfer(wallet, 'USDT', 4n)
    await pool.finalize()
    expect((await balances(pool.db, member)).USDT.available).toBe(4n)
  })

  it('where more is burned than was due', async () => {
    const { pool, worker } = await followed()
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'burn', args: [20n, zeroHash] })
    await pool.mined(pool.send(pool.key('payer'), pool.contracts.vault, data))
    await pool.mine(6)
    await stops(worker, 'the ledger answers "insufficient" to burn')
  })
})

describe('a node that hangs, fails or goes away', { timeout: 90_000 }, () => {
  async function unready(node: UnreliableNode, mood: UnreliableNode['mood']): Promise<void> {
    node.mood = mood
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    node.mood = 'work'
  }

  it('stops nothing: what came meanwhile is credited when it is back', async () => {
    const { pool, node, wallet, member, worker } = await followed()
    await unready(node, 'fail')
    await pool.transfer(wallet, 'USDT', 1n)
    await unready(node, 'hang')
    await pool.transfer(wallet, 'USDT', 2n)
    await pool.finalize()
    expect((await balances(pool.db, member)).USDT.available).toBe(3n)
    expect((await readiness(worker)).code).toBe(200)
  })

  it('is not believed where it keeps logs back that the vault’s balance shows', async () => {
    const { pool, node, wallet, member } = await followed()
    node.alter = ({ method }, answer) => (method === 'eth_getLogs' ? { result: [] } : answer)
    const hash = await pool.transfer(wallet, 'USDT', 8n)
    await pool.mine(6)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const { blockNumber } = await pool.client.getTransactionReceipt({ hash })
    expect((await postedBlock(pool.db))?.number).toBeLessThan(blockNumber)

    node.alter = (_request, answer) => answer
    await pool.finalize()
    expect((await balances(pool.db, member)).USDT.available).toBe(8n)
  })

  it('is left for another node', async () => {
    const { pool, node, wallet, member, worker } = await followed()
    await worker.close()
    await pool.startWorker({ CHAIN_RPC_URL: `http://127.0.0.1:9,${node.rpcUrl},${pool.anvil.rpcUrl}` })
    await pool.transfer(wallet, 'USDT', 1n)
    node.mood = 'fail'
    await pool.finalize()
    expect((await balances(pool.db, member)).USDT.available).toBe(1n)
  })
})
