import { numberToHex, pad, zeroHash } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { startTestPool, type TestPool, waitUntil } from '../../testing/pool.ts'
import { startUnreliableNode, type UnreliableNode } from '../../testing/unreliable-node.ts'
import { readBalances } from '../ledger/index.ts'
import { readPostedBlock } from './index.ts'
import { TRANSFER_TOPIC } from './interpret-logs.ts'

const toClose: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close()
})

async function startPoolWithTwoNodes() {
  const pool = await startTestPool({ slotsInAnEpoch: 1, wallets: 1 })
  toClose.push(pool.close)
  const [first, second] = [
    await startUnreliableNode(pool.anvil.rpcUrl),
    await startUnreliableNode(pool.anvil.rpcUrl),
  ] as const
  toClose.push(first.close, second.close)
  const [wallet] = pool.wallets as [PrivateKeyAccount]
  const member = await pool.addMember(wallet)
  const held = async () => (await readBalances(pool.db, member)).USDT.available
  return { pool, first, second, wallet, held, urls: `${first.rpcUrl},${second.rpcUrl}` }
}

/** Makes a node claim that the wallet sent this amount to the vault, in a block where it did not. */
function inventTransfer(
  node: UnreliableNode,
  pool: TestPool,
  claim: { from: string; amount: bigint; block: { number: bigint; hash: string } },
) {
  const topics = [TRANSFER_TOPIC, pad(claim.from as `0x${string}`), pad(pool.contracts.vault)]
  const log = {
    address: pool.contracts.usdt,
    topics,
    data: pad(numberToHex(claim.amount)),
    removed: false,
    blockNumber: numberToHex(claim.block.number),
    blockHash: claim.block.hash,
    transactionHash: zeroHash,
    transactionIndex: '0x0',
    logIndex: '0x0',
  }
  node.changeAnswer = ({ method, params }, answer) => {
    const [filter] = params as [{ fromBlock: `0x${string}`; toBlock: `0x${string}`; topics?: unknown[] }]
    const isAsked =
      method === 'eth_getLogs' &&
      filter.topics?.length === 3 &&
      BigInt(filter.fromBlock) <= claim.block.number &&
      BigInt(filter.toBlock) >= claim.block.number
    return isAsked ? { result: [...(answer.result as object[]), log] } : answer
  }
}

const readWaitingMetric = async (url: string) =>
  /lode_chain_waiting_for_second_node\{.*\} (\d)/.exec(await (await fetch(`${url}/metrics`)).text())?.[1]

describe('a large credit', { timeout: 60_000 }, () => {
  it('is posted if a second node has the same log in the same block', async () => {
    const { pool, wallet, held, urls } = await startPoolWithTwoNodes()
    await pool.startWorker({ CHAIN_RPC_URL: urls, AGREEMENT_ABOVE: 'USDT:0.0005' })
    await pool.deposit(wallet, 'USDT', 501n)
    await pool.finalize()
    expect(await held()).toBe(501n)
  })

  it('that waits does not let earlier blocks be posted if the vault’s balance shows a missing log', async () => {
    const { pool, first, second, wallet, held, urls } = await startPoolWithTwoNodes()
    const small = await pool.transfer(wallet, 'USDT', 5n)
    const { blockNumber } = await pool.client.getTransactionReceipt({ hash: small })
    await pool.mine(3)
    await pool.transfer(wallet, 'USDT', 501n)
    await pool.mine(5)
    first.changeAnswer = ({ method }, answer) =>
      method === 'eth_getLogs'
        ? { result: (answer.result as { transactionHash: string }[]).filter((log) => log.transactionHash !== small) }
        : answer
    second.mode = 'fail'
    await pool.startWorker({ CHAIN_RPC_URL: urls, AGREEMENT_ABOVE: 'USDT:0.0005' })
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect((await readPostedBlock(pool.db))?.number).toBeLessThan(blockNumber)
    first.changeAnswer = (_request, answer) => answer
    second.mode = 'work'
    await pool.finalize()
    expect(await held()).toBe(506n)
  })

  it('that one node invents is never posted, and the posted block stays before it', async () => {
    const { pool, first, wallet, held, urls } = await startPoolWithTwoNodes()
    await pool.transfer(wallet, 'USDT', 500n)
    await pool.mine(1)
    const block = await pool.client.getBlock()
    inventTransfer(first, pool, { from: wallet.address, amount: 50_000n, block })
    await pool.mine(5)
    const worker = await pool.startWorker({ CHAIN_RPC_URL: urls, AGREEMENT_ABOVE: 'USDT:0.0005' })
    // The blocks before it are posted without waiting.
    await waitUntil(async () => expect(await readPostedBlock(pool.db)).toMatchObject({ number: block.number - 1n }))
    await waitUntil(async () => expect(await readWaitingMetric(worker.url)).toBe('1'))
    await pool.transfer(wallet, 'USDT', 3n)
    await pool.mine(5)
    expect(await held()).toBe(500n)
    expect(await readPostedBlock(pool.db)).toMatchObject({ number: block.number - 1n })

    first.changeAnswer = (_request, answer) => answer
    await pool.finalize()
    expect(await held()).toBe(503n)
    expect(await readWaitingMetric(worker.url)).toBe('0')
    const { books, chain } = await pool.readCustody()
    expect(books).toEqual(chain)
  })

  it('waits while the second node does not answer', async () => {
    const { pool, second, wallet, held, urls } = await startPoolWithTwoNodes()
    second.mode = 'fail'
    const worker = await pool.startWorker({ CHAIN_RPC_URL: urls, AGREEMENT_ABOVE: 'USDT:0.0005' })
    await pool.transfer(wallet, 'USDT', 9_000n)
    await pool.mine(5)
    await waitUntil(async () => expect(await readWaitingMetric(worker.url)).toBe('1'))
    expect(await held()).toBe(0n)
    second.mode = 'work'
    await pool.finalize()
    expect(await held()).toBe(9_000n)
  })
})

describe('small credits', { timeout: 60_000 }, () => {
  it('are posted with one node up to the day’s sum, and wait for a second node above it', async () => {
    const { pool, second, wallet, held, urls } = await startPoolWithTwoNodes()
    second.mode = 'fail'
    const worker = await pool.startWorker({ CHAIN_RPC_URL: urls, AGREEMENT_DAY_SUM: 'USDT:0.001' })
    await pool.transfer(wallet, 'USDT', 400n)
    await pool.finalize()
    await pool.transfer(wallet, 'USDT', 600n)
    await pool.finalize()
    await pool.transfer(wallet, 'USDT', 1n)
    await pool.mine(5)
    await waitUntil(async () => expect(await readWaitingMetric(worker.url)).toBe('1'))
    expect(await held()).toBe(1_000n)

    // A credit that two nodes confirmed does not count for the sum of one node.
    second.mode = 'work'
    await pool.finalize()
    expect(await held()).toBe(1_001n)
  })
})
