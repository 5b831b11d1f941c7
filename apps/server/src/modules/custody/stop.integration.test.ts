import { setTimeout as sleep } from 'node:timers/promises'
import { poolVaultAbi } from '@lode/contracts'
import { encodeEventTopics, encodeFunctionData, type Hex, numberToHex, pad, zeroHash } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import type { RunningWorker } from '../../processes/worker.ts'
import { endStopByOperators, readStopReason } from '../../testing/chain-stop.ts'
import { startTestPool, type TestPool, waitUntil } from '../../testing/pool.ts'
import { startUnreliableNode, type UnreliableNode } from '../../testing/unreliable-node.ts'
import { readBalances } from '../ledger/index.ts'
import { readPostedBlock } from './index.ts'

const toClose: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close()
})

/** A pool with one member, whose worker follows the chain through a node that can lie. */
async function startFollowedPool({ believedAfterMs = 500 } = {}) {
  const pool = await startTestPool({ slotsInAnEpoch: 2, wallets: 1 })
  toClose.push(pool.close)
  const node = await startUnreliableNode(pool.anvil.rpcUrl)
  toClose.push(node.close)
  const [wallet] = pool.wallets as [PrivateKeyAccount]
  const member = await pool.addMember(wallet)
  const worker = await pool.startWorker({
    CHAIN_RPC_URL: node.rpcUrl,
    CHAIN_BELIEVED_AFTER_MS: String(believedAfterMs),
  })
  await pool.finalize()
  return { pool, node, wallet, member, worker }
}

const identityOf = ({ contracts }: TestPool) => ({ pool: contracts.vault, chainId: 31_337 })

async function readiness(worker: RunningWorker): Promise<{ code: number; status: string }> {
  const response = await fetch(`${worker.url}/readyz`)
  const { status } = (await response.json()) as { status: string }
  return { code: response.status, status }
}

const expectStop = (worker: RunningWorker, because: string | RegExp) =>
  waitUntil(async () => {
    const { code, status } = await readiness(worker)
    expect(code).toBe(503)
    expect(status).toMatch(/^stopped: /)
    expect(status).toMatch(because)
  })

/** Expects that the watcher stays stopped when further blocks are final, and in a new process too. */
async function expectStaysStopped(pool: TestPool, member: bigint, because: string): Promise<void> {
  const posted = await readPostedBlock(pool.db)
  await pool.mine(10)
  const again = await pool.startWorker()
  await expectStop(again, because)
  expect(await readPostedBlock(pool.db)).toEqual(posted)
  expect((await readBalances(pool.db, member)).USDT.available).toBe(0n)
  await again.close()
}

describe('the watcher', { timeout: 90_000 }, () => {
  it('stops and credits nothing if the node changes to another chain, until two operators end the stop', async () => {
    const { pool, node, wallet, member, worker } = await startFollowedPool()
    node.changeAnswer = ({ method }, answer) => (method === 'eth_chainId' ? { result: '0x1' } : answer)
    await expectStop(worker, 'is of chain 1, not of 31337')
    await pool.transfer(wallet, 'USDT', 50n)
    await expectStaysStopped(pool, member, 'is of chain 1')

    const metrics = await (await fetch(`${worker.url}/metrics`)).text()
    expect(metrics).toMatch(/lode_chain_stopped\{.*\} 1/)

    node.changeAnswer = (_request, answer) => answer
    expect(await endStopByOperators(pool.db, identityOf(pool))).toContain('is of chain 1')
    expect(await readStopReason(pool.db)).toBeNull()
    await pool.finalize()
    expect((await readBalances(pool.db, member)).USDT.available).toBe(50n)
    expect(await readiness(worker)).toEqual({ code: 200, status: 'ready' })
  })

  it('stops if the chain replaced a final block', async () => {
    const { pool, wallet, member, worker } = await startFollowedPool()
    await pool.reorganize(8)
    await expectStop(worker, 'was final as')
    await pool.transfer(wallet, 'USDT', 50n)
    await expectStaysStopped(pool, member, 'was final as')
    // If operators end the stop without removing the cause, the watcher stops again.
    expect(await endStopByOperators(pool.db, identityOf(pool))).toContain('was final as')
    await expectStop(worker, 'was final as')
  })

  it('stops if the chain is shorter than the posted block', async () => {
    const { pool, wallet, member, worker } = await startFollowedPool()
    await pool.rollBack(8)
    await expectStop(worker, 'which was final')
    await pool.transfer(wallet, 'USDT', 50n)
    await expectStaysStopped(pool, member, 'which was final')
  })

  it('does not stop if one node lags and another does not answer', async () => {
    const { pool, node, worker } = await startFollowedPool()
    await worker.close()
    const away = await startUnreliableNode(pool.anvil.rpcUrl)
    toClose.push(away.close)
    away.mode = 'fail'
    const both = { CHAIN_RPC_URL: `${node.rpcUrl},${away.rpcUrl}`, CHAIN_BELIEVED_AFTER_MS: '0' }
    await pool.rollBack(8)
    const again = await pool.startWorker(both)
    await waitUntil(async () => {
      const metrics = await (await fetch(`${again.url}/metrics`)).text()
      const failures = /node_failures_total\{.*\} (\d+)/.exec(metrics)?.[1]
      expect(Number(failures)).toBeGreaterThan(4)
    })
    expect(await readiness(again)).toEqual({ code: 200, status: 'ready' })
    expect((await readStopReason(pool.db)) ?? 'not stopped').toBe('not stopped')
  })

  it('stops if the node serves another chain with the same id', async () => {
    const { pool, node, worker, member } = await startFollowedPool()
    const other = await startTestPool({ slotsInAnEpoch: 2, wallets: 1, database: pool.database })
    toClose.push(other.close)
    await other.mine(100)
    node.target = other.anvil.rpcUrl
    await expectStop(worker, /was final as|begins with/)
    expect((await readBalances(pool.db, member)).USDT.available).toBe(0n)
  })

  it('stops before it posts anything if the genesis hash is wrong', async () => {
    const pool = await startTestPool({ wallets: 1 })
    toClose.push(pool.close)
    await pool.mine(10)
    const worker = await pool.startWorker({ CHAIN_GENESIS_HASH: zeroHash })
    await expectStop(worker, 'begins with')
    expect(await readPostedBlock(pool.db)).toBeNull()
  })

  it('stops if a node that is added later has another genesis block', async () => {
    const { pool, worker, node } = await startFollowedPool()
    await worker.close()
    node.changeAnswer = ({ method, params }, answer) =>
      method === 'eth_getBlockByNumber' && params[0] === '0x0'
        ? { result: { ...(answer.result as object), hash: zeroHash } }
        : answer
    await expectStop(await pool.startWorker({ CHAIN_RPC_URL: node.rpcUrl }), 'begins with 0x0000')
  })

  it('does not stop if a node has no genesis block, for example because it just started', async () => {
    const { pool, wallet, member, worker, node } = await startFollowedPool()
    await worker.close()
    node.changeAnswer = ({ method, params }, answer) =>
      method === 'eth_getBlockByNumber' && params[0] === '0x0' ? { result: null } : answer
    const again = await pool.startWorker({ CHAIN_RPC_URL: node.rpcUrl })
    await pool.transfer(wallet, 'USDT', 4n)
    await sleep(1_000)
    expect(await readStopReason(pool.db)).toBeNull()
    node.changeAnswer = (_request, answer) => answer
    await pool.finalize()
    expect((await readBalances(pool.db, member)).USDT.available).toBe(4n)
    expect((await readiness(again)).code).toBe(200)
  })

  it('stops if money left the vault without an event and the node keeps reporting it', async () => {
    const { pool, wallet, member, worker } = await startFollowedPool()
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
    await expectStop(again, /0\.00002 USDT left .* without a vault event/)
    expect(performance.now() - startedAt).toBeGreaterThan(4_000)
    expect((await readBalances(pool.db, member)).USDT.available).toBe(50n)
  })

  it('stops if the configured token is not the vault’s', async () => {
    const pool = await startTestPool({ wallets: 1 })
    toClose.push(pool.close)
    await expectStop(await pool.startWorker({ USDT_DECIMALS: '18' }), 'USDT_DECIMALS is 18, but the token has 6')
    await expectStop(await pool.startWorker({ USDT_ADDRESS: pool.contracts.btc }), 'USDT_ADDRESS is')
  })

  it('stops if the vault made a payout that nobody requested, and posts the blocks before it', async () => {
    const { pool, wallet, member, worker } = await startFollowedPool()
    await pool.transfer(wallet, 'USDT', 50n)
    const payout = { id: zeroHash, token: pool.contracts.usdt, to: wallet.address, amount: 20n }
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'release', args: [[payout]] })
    await pool.mined(pool.send(pool.accountOf('payer'), pool.contracts.vault, data))
    await pool.mine(6)
    await expectStop(worker, 'which nobody asked for')
    expect((await readBalances(pool.db, member)).USDT).toMatchObject({ available: 50n, frozenOut: 0n })
  })

  it('does not stop if a node reports an impossible payout only for a moment', async () => {
    const { pool, node, wallet, member, worker } = await startFollowedPool()
    await worker.close()
    await pool.mine(1)
    const block = await pool.client.getBlock()
    const args = { id: zeroHash, to: wallet.address, token: pool.contracts.usdt }
    const invented = {
      address: pool.contracts.vault,
      data: pad('0x14', { size: 32 }),
      removed: false,
      topics: encodeEventTopics({ abi: poolVaultAbi, eventName: 'PayoutReleased', args }),
      blockNumber: numberToHex(block.number),
      blockHash: block.hash,
      transactionHash: zeroHash,
      transactionIndex: '0x0',
      logIndex: '0x0',
    }
    node.changeAnswer = ({ method, params }, answer) => {
      if (method !== 'eth_getLogs') return answer
      const [{ fromBlock, toBlock, blockHash, topics }] = params as [Record<string, Hex | undefined>]
      const isInRange = BigInt(fromBlock ?? 0) <= block.number && BigInt(toBlock ?? 0) >= block.number
      const isAsked = topics?.length === 0 && (isInRange || blockHash === block.hash)
      return isAsked ? { result: [...(answer.result as object[]), invented] } : answer
    }
    await pool.mine(6)
    const again = await pool.startWorker({ CHAIN_RPC_URL: node.rpcUrl })
    await waitUntil(async () => {
      const metrics = await (await fetch(`${again.url}/metrics`)).text()
      expect(Number(/node_failures_total\{.*\} (\d+)/.exec(metrics)?.[1])).toBeGreaterThan(2)
    })
    expect(await readStopReason(pool.db)).toBeNull()
    node.changeAnswer = (_request, answer) => answer
    await pool.transfer(wallet, 'USDT', 4n)
    await pool.finalize()
    expect((await readBalances(pool.db, member)).USDT.available).toBe(4n)
  })

  it('stops if more is burned than was due', async () => {
    const { pool, worker } = await startFollowedPool()
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'burn', args: [20n, zeroHash] })
    await pool.mined(pool.send(pool.accountOf('payer'), pool.contracts.vault, data))
    await pool.mine(6)
    await expectStop(worker, 'the ledger answers "insufficient" to burn')
  })
})

describe('a node that hangs, fails or lies', { timeout: 90_000 }, () => {
  async function unready(node: UnreliableNode, mood: UnreliableNode['mode']): Promise<void> {
    node.mode = mood
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    node.mode = 'work'
  }

  it('does not stop the watcher: deposits are credited when the node is back', async () => {
    const { pool, node, wallet, member, worker } = await startFollowedPool()
    await unready(node, 'fail')
    await pool.transfer(wallet, 'USDT', 1n)
    await unready(node, 'hang')
    await pool.transfer(wallet, 'USDT', 2n)
    await pool.finalize()
    expect((await readBalances(pool.db, member)).USDT.available).toBe(3n)
    expect((await readiness(worker)).code).toBe(200)
  })

  it('does not move the posted block while it leaves out logs that the vault’s balance shows', async () => {
    // On a slow machine a shorter time would pass during the test, and USDT would be stopped.
    const { pool, node, wallet, member } = await startFollowedPool({ believedAfterMs: 300_000 })
    node.changeAnswer = ({ method }, answer) => (method === 'eth_getLogs' ? { result: [] } : answer)
    const hash = await pool.transfer(wallet, 'USDT', 8n)
    await pool.mine(6)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const { blockNumber } = await pool.client.getTransactionReceipt({ hash })
    expect((await readPostedBlock(pool.db))?.number).toBeLessThan(blockNumber)

    node.changeAnswer = (_request, answer) => answer
    await pool.finalize()
    expect((await readBalances(pool.db, member)).USDT.available).toBe(8n)
  })

  it('is replaced by another node', async () => {
    const { pool, node, wallet, member, worker } = await startFollowedPool()
    await worker.close()
    const third = await startUnreliableNode(pool.anvil.rpcUrl)
    toClose.push(third.close)
    const urls = ['http://127.0.0.1:9', node.rpcUrl, pool.anvil.rpcUrl, third.rpcUrl]
    await pool.startWorker({ CHAIN_RPC_URL: urls.join() })
    await pool.transfer(wallet, 'USDT', 1n)
    node.mode = 'fail'
    await pool.finalize()
    expect((await readBalances(pool.db, member)).USDT.available).toBe(1n)
  })
})
