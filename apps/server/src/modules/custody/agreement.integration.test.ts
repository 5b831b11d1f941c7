import { numberToHex, pad, zeroHash } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { startUnreliableNode, type UnreliableNode } from '../../testing/node.ts'
import { soon, startTestPool, type TestPool } from '../../testing/pool.ts'
import { balances } from '../ledger/index.ts'
import { postedBlock } from './index.ts'
import { TRANSFER } from './rules.ts'

const toClose: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close()
})

async function begin() {
  const pool = await startTestPool({ slotsInAnEpoch: 1, wallets: 1 })
  toClose.push(pool.close)
  const [first, second] = [
    await startUnreliableNode(pool.anvil.rpcUrl),
    await startUnreliableNode(pool.anvil.rpcUrl),
  ] as const
  toClose.push(first.close, second.close)
  const [wallet] = pool.wallets as [PrivateKeyAccount]
  const member = await pool.addMember(wallet)
  const held = async () => (await balances(pool.db, member)).USDT.available
  return { pool, first, second, wallet, held, urls: `${first.rpcUrl},${second.rpcUrl}` }
}

/** Makes a node claim that the wallet sent this amount to the vault, in a block where it did not. */
function invent(
  node: UnreliableNode,
  pool: TestPool,
  claim: { from: string; amount: bigint; block: { number: bigint; hash: string } },
) {
  const topics = [TRANSFER, pad(claim.from as `0x${string}`), pad(pool.contracts.vault)]
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
  node.alter = ({ method, params }, answer) => {
    const [filter] = params as [{ fromBlock: `0x${string}`; toBlock: `0x${string}`; topics?: unknown[] }]
    const isAsked =
      method === 'eth_getLogs' &&
      filter.topics?.length === 3 &&
      BigInt(filter.fromBlock) <= claim.block.number &&
      BigInt(filter.toBlock) >= claim.block.number
    return isAsked ? { result: [...(answer.result as object[]), log] } : answer
  }
}

const waiting = async (url: string) =>
  /lode_chain_waiting_for_second_node\{.*\} (\d)/.exec(await (await fetch(`${url}/metrics`)).text())?.[1]

describe('a large credit', { timeout: 60_000 }, () => {
  it('is made where a second node has the same log in the same block', async () => {
    const { pool, wallet, held, urls } = await begin()
    await pool.startWorker({ CHAIN_RPC_URL: urls, AGREEMENT_ABOVE: 'USDT:0.0005' })
    await pool.deposit(wallet, 'USDT', 501n)
    await pool.finalize()
    expect(await held()).toBe(501n)
  })

  it('that waits lets nothing pass before it that the vault’s balance shows to be missing', async () => {
    const { pool, first, second, wallet, held, urls } = await begin()
    const small = await pool.transfer(wallet, 'USDT', 5n)
    const { blockNumber } = await pool.client.getTransactionReceipt({ hash: small })
    await pool.mine(3)
    await pool.transfer(wallet, 'USDT', 501n)
    await pool.mine(5)
    first.alter = ({ method }, answer) =>
      method === 'eth_getLogs'
        ? { result: (answer.result as { transactionHash: string }[]).filter((log) => log.transactionHash !== small) }
        : answer
    second.mood = 'fail'
    await pool.startWorker({ CHAIN_RPC_URL: urls, AGREEMENT_ABOVE: 'USDT:0.0005' })
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect((await postedBlock(pool.db))?.number).toBeLessThan(blockNumber)
    first.alter = (_request, answer) => answer
    second.mood = 'work'
    await pool.finalize()
    expect(await held()).toBe(506n)
  })

  it('that one node invents is never made, and holds the posted block meanwhile', async () => {
    const { pool, first, wallet, held, urls } = await begin()
    await pool.transfer(wallet, 'USDT', 500n)
    await pool.mine(1)
    const block = await pool.client.getBlock()
    invent(first, pool, { from: wallet.address, amount: 50_000n, block })
    await pool.mine(5)
    const worker = await pool.startWorker({ CHAIN_RPC_URL: urls, AGREEMENT_ABOVE: 'USDT:0.0005' })
    // The blocks before it are posted without waiting.
    await soon(async () => expect(await postedBlock(pool.db)).toMatchObject({ number: block.number - 1n }))
    await soon(async () => expect(await waiting(worker.url)).toBe('1'))
    await pool.transfer(wallet, 'USDT', 3n)
    await pool.mine(5)
    expect(await held()).toBe(500n)
    expect(await postedBlock(pool.db)).toMatchObject({ number: block.number - 1n })

    first.alter = (_request, answer) => answer
    await pool.finalize()
    expect(await held()).toBe(503n)
    expect(await waiting(worker.url)).toBe('0')
    const { books, chain } = await pool.custody()
    expect(books).toEqual(chain)
  })

  it('waits where the second node is away', async () => {
    const { pool, second, wallet, held, urls } = await begin()
    second.mood = 'fail'
    const worker = await pool.startWorker({ CHAIN_RPC_URL: urls, AGREEMENT_ABOVE: 'USDT:0.0005' })
    await pool.transfer(wallet, 'USDT', 9_000n)
    await pool.mine(5)
    await soon(async () => expect(await waiting(worker.url)).toBe('1'))
    expect(await held()).toBe(0n)
    second.mood = 'work'
    await pool.finalize()
    expect(await held()).toBe(9_000n)
  })
})

describe('small credits', { timeout: 60_000 }, () => {
  it('are made on one node’s word up to the day’s sum, and wait for a second beyond it', async () => {
    const { pool, second, wallet, held, urls } = await begin()
    second.mood = 'fail'
    const worker = await pool.startWorker({ CHAIN_RPC_URL: urls, AGREEMENT_DAY_SUM: 'USDT:0.001' })
    await pool.transfer(wallet, 'USDT', 400n)
    await pool.finalize()
    await pool.transfer(wallet, 'USDT', 600n)
    await pool.finalize()
    await pool.transfer(wallet, 'USDT', 1n)
    await pool.mine(5)
    await soon(async () => expect(await waiting(worker.url)).toBe('1'))
    expect(await held()).toBe(1_000n)

    // A credit that two nodes confirmed does not count for the sum of one node.
    second.mood = 'work'
    await pool.finalize()
    expect(await held()).toBe(1_001n)
  })
})
