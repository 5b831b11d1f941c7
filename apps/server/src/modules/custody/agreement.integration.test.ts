import { setTimeout as sleep } from 'node:timers/promises'
import { encodeFunctionData, erc20Abi, numberToHex, pad, toFunctionSelector, zeroHash } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import type { RunningWorker } from '../../processes/worker.ts'
import { createNodesFile } from '../../testing/nodes-file.ts'
import { startTestPool, type TestPool, waitUntil } from '../../testing/pool.ts'
import { startUnreliableNode, type UnreliableNode } from '../../testing/unreliable-node.ts'
import { readBalances } from '../ledger/index.ts'
import { readPostedBlock } from './index.ts'
import { TRANSFER_TOPIC } from './interpret-logs.ts'

const toClose: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close()
})

async function startPoolWithNodes(count: number) {
  const pool = await startTestPool({ slotsInAnEpoch: 1, wallets: 1 })
  toClose.push(pool.close)
  const nodes: UnreliableNode[] = []
  for (let made = 0; made < count; made += 1) nodes.push(await startUnreliableNode(pool.anvil.rpcUrl))
  toClose.push(...nodes.map((node) => node.close))
  const [wallet] = pool.wallets as [PrivateKeyAccount]
  const member = await pool.addMember(wallet)
  const held = async () => (await readBalances(pool.db, member)).USDT.available
  const startWorker = () =>
    pool.startWorker({ CHAIN_RPC_URL: nodes.map(({ rpcUrl }) => rpcUrl).join(), CHAIN_BELIEVED_AFTER_MS: '600000' })
  return { pool, nodes, wallet, held, startWorker }
}

const tellTruth: UnreliableNode['changeAnswer'] = (_request, answer) => answer

type RangeFilter = { fromBlock?: `0x${string}`; toBlock?: `0x${string}`; blockHash?: string; topics?: unknown[] }

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
    const [filter] = params as [RangeFilter]
    const isAsked =
      method === 'eth_getLogs' &&
      filter.topics?.length === 3 &&
      BigInt(filter.fromBlock ?? 0) <= claim.block.number &&
      BigInt(filter.toBlock ?? 0) >= claim.block.number
    return isAsked ? { result: [...(answer.result as object[]), log] } : answer
  }
}

/** Makes a node leave out all logs of this chain transaction. */
const hideTransaction =
  (tx: string): UnreliableNode['changeAnswer'] =>
  ({ method }, answer) =>
    method === 'eth_getLogs'
      ? { result: (answer.result as { transactionHash: string }[]).filter((log) => log.transactionHash !== tx) }
      : answer

const balanceOfVault = (pool: TestPool) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [pool.contracts.vault] })

const readWaitingMetric = async ({ url }: RunningWorker) =>
  /lode_chain_waiting_for_second_node\{.*\} (\d)/.exec(await (await fetch(`${url}/metrics`)).text())?.[1]

const expectWaiting = (worker: RunningWorker) =>
  waitUntil(async () => expect(await readWaitingMetric(worker)).toBe('1'))

/** Nothing is credited until the lie ends; then everything is. */
async function expectNothingUntilTruth(
  { pool, nodes, held }: Awaited<ReturnType<typeof startPoolWithNodes>>,
  worker: RunningWorker,
  then: bigint,
): Promise<void> {
  await expectWaiting(worker)
  await sleep(1_000)
  expect(await held()).toBe(0n)
  for (const node of nodes) {
    node.changeAnswer = tellTruth
    node.mode = 'work'
  }
  await pool.finalize()
  expect(await held()).toBe(then)
  await waitUntil(async () => expect(await readWaitingMetric(worker)).toBe('0'))
  const { books, chain } = await pool.readCustody()
  expect(books).toEqual(chain)
}

// The node that lies is the one of the turn, or one that is asked as well.
describe.each([
  { count: 2, liar: 0 },
  { count: 2, liar: 1 },
  { count: 3, liar: 2 },
])('one lying node of $count (number $liar)', { timeout: 90_000 }, ({ count, liar }) => {
  it('cannot invent a deposit, and the blocks before it are posted', async () => {
    const started = await startPoolWithNodes(count)
    const { pool, nodes, wallet } = started
    await pool.mine(1)
    const block = await pool.client.getBlock()
    inventTransfer(nodes[liar] as UnreliableNode, pool, { from: wallet.address, amount: 50_000n, block })
    await pool.mine(5)
    const worker = await started.startWorker()
    await waitUntil(async () => expect(await readPostedBlock(pool.db)).toMatchObject({ number: block.number - 1n }))
    await pool.transfer(wallet, 'USDT', 3n)
    await pool.mine(5)
    await expectNothingUntilTruth(started, worker, 3n)
  })

  it('cannot hide a deposit', async () => {
    const started = await startPoolWithNodes(count)
    const { pool, nodes, wallet } = started
    const tx = await pool.transfer(wallet, 'USDT', 7n)
    const { blockNumber } = await pool.client.getTransactionReceipt({ hash: tx })
    await pool.mine(5)
    const node = nodes[liar] as UnreliableNode
    node.changeAnswer = hideTransaction(tx)
    const worker = await started.startWorker()
    await waitUntil(async () => expect(await readPostedBlock(pool.db)).toMatchObject({ number: blockNumber - 1n }))
    await expectNothingUntilTruth(started, worker, 7n)
  })

  it('cannot change a balance of the vault', async () => {
    const started = await startPoolWithNodes(count)
    const { pool, nodes, wallet } = started
    await pool.transfer(wallet, 'USDT', 7n)
    await pool.mine(5)
    const node = nodes[liar] as UnreliableNode
    node.changeAnswer = ({ method, params }, answer) => {
      const [call] = params as [{ data?: string; to?: string }]
      const isAsked = method === 'eth_call' && call.data === balanceOfVault(pool) && answer.result !== '0x'
      return isAsked ? { result: pad(numberToHex(BigInt(answer.result as string) + 1n)) } : answer
    }
    const worker = await started.startWorker()
    await expectNothingUntilTruth(started, worker, 7n)
  })

  it('cannot pass off another block as final', async () => {
    const started = await startPoolWithNodes(count)
    const { pool, nodes, wallet } = started
    await pool.transfer(wallet, 'USDT', 7n)
    await pool.mine(5)
    const node = nodes[liar] as UnreliableNode
    node.changeAnswer = ({ method }, answer) =>
      method === 'eth_getBlockByNumber' && (answer.result as { number: string }).number !== '0x0'
        ? { result: { ...(answer.result as object), hash: pad('0x66', { size: 32 }) } }
        : answer
    const worker = await started.startWorker()
    await sleep(2_000)
    expect(await started.held()).toBe(0n)
    node.changeAnswer = tellTruth
    await pool.finalize()
    expect(await started.held()).toBe(7n)
    await worker.close()
  })
})

/** Makes a node report another final block. What it says about blocks by their number stays true. */
function inventHead(node: UnreliableNode, change: { number?: bigint; seconds?: bigint }): void {
  node.changeAnswer = ({ method, params }, answer) => {
    if (method !== 'eth_getBlockByNumber' || params[0] !== 'finalized') return answer
    const block = answer.result as { number: `0x${string}`; timestamp: `0x${string}` }
    const number = numberToHex(BigInt(block.number) + (change.number ?? 0n))
    return { result: { ...block, number, timestamp: numberToHex(BigInt(block.timestamp) + (change.seconds ?? 0n)) } }
  }
}

describe.each([0, 1, 2])(
  'one of three nodes (number %i) that invents its last final block',
  {
    timeout: 90_000,
  },
  (liar) => {
    it('(far ahead) holds nothing up, and is not reported as a reason to wait', async () => {
      const { pool, nodes, wallet, held, startWorker } = await startPoolWithNodes(3)
      inventHead(nodes[liar] as UnreliableNode, { number: 10_000n })
      const worker = await startWorker()
      await pool.transfer(wallet, 'USDT', 5n)
      await pool.finalize()
      expect(await held()).toBe(5n)
      expect((await fetch(`${worker.url}/readyz`)).status).toBe(200)
      const { number } = await pool.client.getBlock({ blockTag: 'finalized' })
      await waitUntil(async () => {
        const metrics = await (await fetch(`${worker.url}/metrics`)).text()
        expect(metrics).toMatch(/lode_chain_waiting_for_second_node\{.*\} 0/)
        expect(metrics).toMatch(new RegExp(`lode_chain_finalized_block\\{.*\\} ${number}\n`))
      })
    })

    it('(of next year) holds nothing up, and the failure counts against it alone', async () => {
      const { pool, nodes, wallet, held, startWorker } = await startPoolWithNodes(3)
      inventHead(nodes[liar] as UnreliableNode, { number: 1n, seconds: 365n * 86_400n })
      const worker = await startWorker()
      await pool.transfer(wallet, 'USDT', 5n)
      await pool.finalize()
      expect(await held()).toBe(5n)
      expect((await fetch(`${worker.url}/readyz`)).status).toBe(200)
      await waitUntil(async () => expect(await readWaitingMetric(worker)).toBe('0'))
      const metrics = await (await fetch(`${worker.url}/metrics`)).text()
      const accused = Array.from(
        metrics.matchAll(/lode_chain_node_failures_total\{node="([^"]*)"/g),
        ([, name]) => name,
      )
      expect(accused).toEqual([(nodes[liar] as UnreliableNode).rpcUrl])
    })
  },
)

describe('a lying node, and no other that answers', { timeout: 90_000 }, () => {
  it.each([
    [2, 'fail'],
    [2, 'hang'],
    [3, 'fail'],
  ] as const)('cannot invent a deposit (of %i nodes; the others: %s)', async (count, mode) => {
    const started = await startPoolWithNodes(count)
    const { pool, nodes, wallet } = started
    await pool.mine(1)
    const [liar, ...others] = nodes as [UnreliableNode, ...UnreliableNode[]]
    const block = await pool.client.getBlock()
    inventTransfer(liar, pool, { from: wallet.address, amount: 50_000n, block })
    for (const other of others) other.mode = mode
    await pool.mine(5)
    const worker = await started.startWorker()
    await expectNothingUntilTruth(started, worker, 0n)
  })
})

describe('one node of three that does not answer', { timeout: 90_000 }, () => {
  it.each([
    ['fail', 0],
    ['hang', 2],
  ] as const)('(%s, number %i) stops nothing', async (mode, silent) => {
    const { pool, nodes, wallet, held, startWorker } = await startPoolWithNodes(3)
    const node = nodes[silent] as UnreliableNode
    node.mode = mode
    await startWorker()
    await pool.transfer(wallet, 'USDT', 9n)
    await pool.finalize()
    expect(await held()).toBe(9n)
  })
})

describe('nodes in a file', { timeout: 90_000 }, () => {
  it('are replaced while the worker runs: it posts through the new ones, and an invalid file changes nothing', async () => {
    const { pool, nodes, wallet, held } = await startPoolWithNodes(3)
    const [one, two, three] = nodes as [UnreliableNode, UnreliableNode, UnreliableNode]
    const file = await createNodesFile(`one=${one.rpcUrl}\ntwo=${two.rpcUrl}`)
    toClose.push(file.close)
    const worker = await pool.startWorker(file.environment)
    two.mode = 'fail'
    await pool.transfer(wallet, 'USDT', 8n)
    await pool.mine(5)
    await expectWaiting(worker)
    expect(await held()).toBe(0n)

    const metrics = async () => (await fetch(`${worker.url}/metrics`)).text()
    await file.write(`one=${one.rpcUrl}\nthree: ${three.rpcUrl}`)
    await waitUntil(async () => expect(await metrics()).toMatch(/lode_nodes_file_refused\{.*\} 1/))
    expect(await held()).toBe(0n)

    await file.write(`# two is down\none=${one.rpcUrl}\nthree=${three.rpcUrl}\n`)
    await waitUntil(async () => expect(await held()).toBe(8n))
    expect(await metrics()).toMatch(/lode_nodes_file_refused\{.*\} 0/)
  })
})

describe('a node that learns of a block between two questions', { timeout: 90_000 }, () => {
  it('does not make dividend funding look like a plain transfer, even if it is the only node', async () => {
    const { pool, nodes, wallet, held, startWorker } = await startPoolWithNodes(1)
    const [node] = nodes as [UnreliableNode]
    await pool.deposit(wallet, 'USDT', 11n)
    const { number } = await pool.client.getBlock()
    await pool.mine(5)
    // It returns the Transfer, but none of the vault's events when it is asked for a range.
    node.changeAnswer = ({ method, params }, answer) => {
      const [filter] = params as [RangeFilter]
      const isRangeOfEvents = method === 'eth_getLogs' && !filter.blockHash && !filter.topics?.length
      return isRangeOfEvents ? { result: [] } : answer
    }
    const worker = await startWorker()
    // Several turns, so that a turn that posts would have done so.
    const metrics = async () => (await fetch(`${worker.url}/metrics`)).text()
    await waitUntil(async () => expect(await metrics()).toMatch(/lode_chain_node_failures_total\{.*\} ([3-9]|\d\d)/))
    expect((await readPostedBlock(pool.db))?.number ?? 0n).toBeLessThan(number)
    node.changeAnswer = tellTruth
    await pool.finalize()
    expect(await held()).toBe(11n)
  })
})

describe('cold storage that holds less than the ledger says', { timeout: 90_000 }, () => {
  it('stops the posting, and the difference is a metric', async () => {
    const { pool, nodes, wallet, startWorker } = await startPoolWithNodes(1)
    const [node] = nodes as [UnreliableNode]
    const worker = await startWorker()
    await pool.deposit(wallet, 'USDT', 1_000n)
    await pool.finalize()
    await pool.transfer(wallet, 'USDT', 400n, pool.accountOf('coldStorage').address)
    await pool.finalize()
    const metrics = async () => (await fetch(`${worker.url}/metrics`)).text()
    expect(await metrics()).toMatch(/lode_custody_difference\{place="cold",asset="USDT",.*\} 0/)

    const posted = await readPostedBlock(pool.db)
    const selector = toFunctionSelector('balanceOf(address)')
    node.changeAnswer = ({ method, params }, answer) => {
      const [call] = params as [{ data?: string; to?: string }]
      const isCold = method === 'eth_call' && call.data?.startsWith(selector) && call.data !== balanceOfVault(pool)
      return isCold ? { result: pad('0x0') } : answer
    }
    await pool.mine(5)
    await waitUntil(async () =>
      expect(await metrics()).toMatch(/lode_custody_difference\{place="cold",asset="USDT",.*\} -400/),
    )
    expect(await readPostedBlock(pool.db)).toEqual(posted)
    node.changeAnswer = tellTruth
    await pool.finalize()
    expect(await metrics()).toMatch(/lode_custody_difference\{place="cold",asset="USDT",.*\} 0/)
  })
})

/** From now on the node reports the present final block as its latest and its final block. */
async function freeze(node: UnreliableNode, pool: TestPool): Promise<void> {
  const { number } = await pool.client.getBlock({ blockTag: 'finalized' })
  node.changeAnswer = async ({ method, params }, answer) => {
    const isHead = method === 'eth_getBlockByNumber' && (params[0] === 'latest' || params[0] === 'finalized')
    if (!isHead) return answer
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [numberToHex(number), false] })
    const headers = { 'content-type': 'application/json' }
    const old = await fetch(pool.anvil.rpcUrl, { method: 'POST', headers, body })
    return { result: ((await old.json()) as { result: object }).result }
  }
}

describe('a second node that is behind', { timeout: 90_000 }, () => {
  it('confirms what it has; the rest waits for it', async () => {
    const { pool, nodes, wallet, held, startWorker } = await startPoolWithNodes(2)
    const behind = nodes[1] as UnreliableNode
    await pool.transfer(wallet, 'USDT', 3n)
    await pool.mine(5)
    await freeze(behind, pool)
    await pool.transfer(wallet, 'USDT', 4n)
    await pool.mine(5)
    const worker = await startWorker()
    await waitUntil(async () => expect(await held()).toBe(3n))
    await expectWaiting(worker)
    behind.changeAnswer = tellTruth
    await pool.finalize()
    expect(await held()).toBe(7n)
  })
})

describe('a node that has habits of its own', { timeout: 90_000 }, () => {
  const reverseLogs: UnreliableNode['changeAnswer'] = ({ method }, answer) =>
    method === 'eth_getLogs' && Array.isArray(answer.result) ? { result: answer.result.toReversed() } : answer
  const refuseHashes: UnreliableNode['changeAnswer'] = ({ method, params }, answer) =>
    method === 'eth_getLogs' && (params as [RangeFilter])[0].blockHash
      ? { error: { code: -32_602, message: 'invalid argument: blockHash' } }
      : answer

  it.each([
    ['returns logs in another order', 2, reverseLogs],
    ['cannot search logs by block hash', 2, refuseHashes],
    ['answers with nonsense', 3, ({ method }, answer) => (method === 'eth_getLogs' ? { result: null } : answer)],
  ] as const satisfies [string, number, UnreliableNode['changeAnswer']][])(
    '(it %s) stops nothing',
    async (_what, count, habit) => {
      const { pool, nodes, wallet, held, startWorker } = await startPoolWithNodes(count)
      const node = nodes[1] as UnreliableNode
      node.changeAnswer = habit
      for (let sent = 0; sent < 3; sent += 1) await pool.deposit(wallet, 'USDT', 3n)
      await startWorker()
      await pool.finalize()
      expect(await held()).toBe(9n)
    },
  )

  it('(its view of the chain stands still) is not used for the turns, even if it is the first', async () => {
    const { pool, nodes, wallet, held, startWorker } = await startPoolWithNodes(3)
    const [frozen] = nodes as [UnreliableNode]
    await startWorker()
    await pool.finalize()
    await freeze(frozen, pool)
    await pool.node.increaseTime({ seconds: 20 * 60 })
    await pool.transfer(wallet, 'USDT', 6n)
    await pool.finalize()
    expect(await held()).toBe(6n)
  })
})
