import {
  type Abi,
  type Address,
  BaseError,
  BlockNotFoundError,
  type Client,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionParameters,
  createClient,
  ExecutionRevertedError,
  type Hex,
  HttpRequestError,
  http,
  numberToHex,
  type ReadContractParameters,
  type ReadContractReturnType,
  type RpcLog,
  RpcRequestError,
  TimeoutError,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from 'viem'
import {
  call,
  estimateGas,
  estimateMaxPriorityFeePerGas,
  getBalance,
  getBlock,
  getChainId,
  getCode,
  getTransaction,
  getTransactionCount,
  getTransactionReceipt,
  multicall,
  readContract,
  sendRawTransaction,
  simulateBlocks,
} from 'viem/actions'
import type { Finality } from '../config/config.ts'
import type { NodeAddress } from '../config/node-address.ts'

/** The block that a read is about, in viem's form. */
export type AtBlock = { readonly blockHash: Hex; readonly requireCanonical: true } | { readonly blockNumber: bigint }

export type Block = { readonly number: bigint; readonly hash: Hex; readonly parentHash: Hex; readonly time: Date }

/** What gas costs now: the base fee, which is burned, and the tip for the block's producer. */
export type GasPrice = { readonly baseFee: bigint; readonly priorityFee: bigint }

/** A log as it is in its block. Hexadecimal is always in lower case, because ledger keys are built from it. */
export type ChainLog = {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly tx: Hex
  readonly logIndex: number
}

export type LogFilter = {
  readonly address: Address | readonly Address[]
  /** By position. Null matches anything; a list matches any of its entries. */
  readonly topics?: readonly (Hex | readonly Hex[] | null)[]
}

/** A call of a contract, with no ether. */
export type ContractCall = { readonly to: Address; readonly data: Hex }

/** Whether a call would succeed now. `untried`: the node cannot try a call that needs the ones before it. */
type CallTrial =
  | { readonly state: 'succeeds' | 'untried' }
  /** `data` is what the contract answered, which encodes its reason. */
  | { readonly state: 'fails'; readonly data: Hex }

/**
 * A node contradicts itself or what we know. For example, the chain moved, several nodes answer behind one address, or
 * the node lags or left out a log.
 */
export class NodeContradiction extends Error {}

/** Nodes gave different answers to one question about a final block, so at least one of them is wrong. */
export class NodesDisagree extends NodeContradiction {}

/** Only nodes of one origin answered. If another node refused the question, that error is the cause. */
export class NoSecondNode extends NodeContradiction {}

/** The node did not answer in time. It may answer a smaller question. */
export class NodeTooLate extends NodeContradiction {}

const TIMEOUT_MS = 10_000
const MAX_PARALLEL_BLOCKS = 20
/** How many blocks without a transaction are read, one after the other, to find an old receipt. */
const MAX_EMPTY_BLOCKS = 100n
/** A node runs at most 49,152 bytes that are not a contract yet; 100 calls of one argument take about half of that. */
const MAX_CALLS = 100
/**
 * The widest range that public nodes commonly allow in one log query. If a node allows less, the range is halved until
 * it answers.
 */
const MAX_RANGE = 1_000n
/** After this many answers the range is doubled again: soon enough after a bad hour, without burdening the node. */
const ANSWERS_UNTIL_WIDER = 100

export type ChainNode = ReturnType<typeof createNode>

/**
 * One node of the chain. It retries nothing. Its errors count as failures of the node (see `isNodeFailure`), also if a
 * contract call reverts or returns nothing.
 */
export function createNode({ url, origin }: NodeAddress) {
  const client = createClient({ transport: http(url, { timeout: TIMEOUT_MS, retryCount: 0 }) })
  const blockReads = createBlockReads(client)
  return {
    /** Its origin. The URL may contain a paid key, so it is not shown. */
    name: origin,

    chainId: (): Promise<number> => getChainId(client),

    read<
      const A extends Abi,
      F extends ContractFunctionName<A, 'pure' | 'view'>,
      const Args extends ContractFunctionArgs<A, 'pure' | 'view', F>,
    >(call: ReadContractParameters<A, F, Args>): Promise<ReadContractReturnType<A, F, Args>> {
      return readContract(client, call)
    },

    /** Makes up to 100 calls in each request, by a contract that exists only during the request. */
    async readMany<
      const A extends Abi,
      F extends ContractFunctionName<A, 'pure' | 'view'>,
      const Args extends ContractFunctionArgs<A, 'pure' | 'view', F>,
    >(calls: readonly ReadContractParameters<A, F, Args>[]): Promise<ReadContractReturnType<A, F, Args>[]> {
      const answers: unknown[] = []
      for (let start = 0; start < calls.length; start += MAX_CALLS)
        answers.push(...(await multicallWithoutContract(client, calls.slice(start, start + MAX_CALLS))))
      return answers as ReadContractReturnType<A, F, Args>[]
    },

    readRange: createRangeReader(),
    ...blockReads,
    ...createLogReads(client, blockReads.block),
    ...createAccountReads(client),
    ...createTransactionSending(client),
    ...createCallTrials(client),
  }
}

const multicallWithoutContract = (client: Client, calls: readonly unknown[]): Promise<unknown[]> =>
  multicall(client, {
    contracts: calls as ContractFunctionParameters[],
    allowFailure: false,
    deployless: true,
    batchSize: 0,
  })

function createBlockReads(client: Client) {
  const block = async (at: bigint | 'latest' | 'finalized'): Promise<Block | null> => {
    try {
      const parameters = typeof at === 'bigint' ? { blockNumber: at } : { blockTag: at }
      const { number, hash, parentHash, timestamp } = await getBlock(client, parameters)
      if (number === null || hash === null) throw new NodeContradiction('a block without a number is not on the chain')
      return { number, hash: lower(hash), parentHash: lower(parentHash), time: new Date(Number(timestamp) * 1_000) }
    } catch (error) {
      if (error instanceof BlockNotFoundError) return null
      throw error
    }
  }

  const blockOrFail = async (at: bigint | 'latest' | 'finalized'): Promise<Block> => {
    const found = await block(at)
    if (!found) throw new NodeContradiction(`there is no block ${at}`)
    return found
  }

  return {
    /** Returns null if the node does not have the block. */
    block,

    async head(finality: Finality): Promise<{ latest: Block; finalized: Block }> {
      const latest = await blockOrFail('latest')
      if (finality.kind === 'finalized') return { latest, finalized: await blockOrFail('finalized') }
      const number = latest.number > finality.blocks ? latest.number - finality.blocks : 0n
      return { latest, finalized: await blockOrFail(number) }
    },

    /** Returns the blocks with these numbers. Throws if one is missing. */
    async blocks(numbers: readonly bigint[]): Promise<Block[]> {
      const found: Block[] = []
      for (let start = 0; start < numbers.length; start += MAX_PARALLEL_BLOCKS)
        found.push(...(await Promise.all(numbers.slice(start, start + MAX_PARALLEL_BLOCKS).map(blockOrFail))))
      return found
    },
  }
}

function createLogReads(client: Client, readBlock: (number: bigint) => Promise<Block | null>) {
  const logs = async ({ address, topics = [] }: LogFilter, from: bigint, to: bigint): Promise<ChainLog[]> => {
    const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to) }
    const filter = { address: address as Address | Address[], topics: topics as Hex[], ...range }
    return readLogs(await client.request({ method: 'eth_getLogs', params: [filter] }))
  }

  return {
    logs,

    /**
     * The logs of exactly this block. A node that does not have the block refuses, and does not answer "none". If the
     * node cannot search by hash, it is asked by number, and must have the same block under that number afterwards.
     */
    async logsInBlock(filter: LogFilter, { number, hash }: Pick<Block, 'number' | 'hash'>): Promise<ChainLog[]> {
      const { address, topics = [] } = filter
      const byHash = { address: address as Address | Address[], topics: topics as Hex[], blockHash: hash }
      try {
        return readLogs(await client.request({ method: 'eth_getLogs', params: [byHash] }))
      } catch (error) {
        if (!isNodeRefusal(error)) throw error
      }
      const found = await logs(filter, number, number)
      if ((await readBlock(number))?.hash !== hash) throw new NodeContradiction(`the node has another block ${number}`)
      return found
    },

    /**
     * All logs of one chain transaction, or null if no block from `oldest` on has it. A node that has pruned a receipt
     * returns nothing about it, as about a transaction that never existed. So null is returned only if the node still
     * has a receipt that is as old as any of them can be. Nodes prune the oldest receipts first.
     */
    async logsOf(tx: Hex, oldest: bigint): Promise<ChainLog[] | null> {
      const receipt = await client.request({ method: 'eth_getTransactionReceipt', params: [tx] })
      if (receipt) return readLogs(receipt.logs)
      if (!(await hasReceiptsSince(client, oldest)))
        throw new NodeContradiction(
          `the node returns nothing about transaction ${tx}, but it no longer has receipts from block ${oldest} on either, ` +
            'so this does not show that the transaction is missing: use a node that keeps all receipts',
        )
      return null
    },
  }
}

/** Whether the node has the receipt of the first transaction from this block on. */
async function hasReceiptsSince(client: Client, oldest: bigint): Promise<boolean> {
  for (let number = oldest; number < oldest + MAX_EMPTY_BLOCKS; number += 1n) {
    const [first] = (await getBlock(client, { blockNumber: number })).transactions
    if (first) return (await client.request({ method: 'eth_getTransactionReceipt', params: [first] })) !== null
  }
  return false
}

/**
 * Returns a function that reads as many blocks from `from` on as the node answers at once. If the node refuses a range,
 * the range is halved until the node accepts it, and the next call starts with that width. If nodes disagree, it is
 * halved too, so that the blocks before their disagreement are read. The function returns the last block that it read.
 */
function createRangeReader() {
  let range = MAX_RANGE
  let answered = 0
  return async <T>(
    from: bigint,
    end: bigint,
    read: (from: bigint, to: bigint) => Promise<T>,
  ): Promise<{ to: bigint; value: T }> => {
    for (;;) {
      const to = end - from >= range ? from + range - 1n : end
      try {
        const value = await read(from, to)
        answered += 1
        if (answered % ANSWERS_UNTIL_WIDER === 0 && range < MAX_RANGE) range *= 2n
        return { to, value }
      } catch (error) {
        if (to === from) range = MAX_RANGE
        if (to === from || !(isNodeRefusal(error) || error instanceof NodesDisagree)) throw error
        range = (to - from + 1n) / 2n
      }
    }
  }
}

const createAccountReads = (client: Client) => ({
  /** The number of an account's transactions in blocks. It is the nonce of the account's next transaction. */
  async transactionCount(address: Address, at: AtBlock | { readonly blockTag: 'latest' | 'pending' }): Promise<bigint> {
    return BigInt(await getTransactionCount(client, { address, ...at }))
  },

  balance: (address: Address): Promise<bigint> => getBalance(client, { address }),

  async hasCode(address: Address, blockNumber: bigint): Promise<boolean> {
    return (await getCode(client, { address, blockNumber })) !== undefined
  },
})

function createTransactionSending(client: Client) {
  const hasTransaction = async (hash: Hex): Promise<boolean> => {
    try {
      await getTransaction(client, { hash })
      return true
    } catch (error) {
      if (error instanceof TransactionNotFoundError) return false
      throw error
    }
  }

  return {
    async gasPrice(): Promise<GasPrice> {
      const [{ baseFeePerGas }, priorityFee] = await Promise.all([
        getBlock(client, { blockTag: 'latest' }),
        estimateMaxPriorityFeePerGas(client, { chain: null }),
      ])
      return { baseFee: baseFeePerGas ?? 0n, priorityFee }
    },

    /** Sends a signed transaction. If the node refuses it but already has it, that counts as success. */
    async send(raw: Hex, hash: Hex): Promise<void> {
      try {
        await sendRawTransaction(client, { serializedTransaction: raw })
      } catch (error) {
        if (!isNodeRefusal(error) || !(await hasTransaction(hash))) throw error
      }
    },
  }
}

function createCallTrials(client: Client) {
  const tryOne = async (from: Address, { to, data }: ContractCall): Promise<CallTrial> => {
    try {
      await call(client, { account: from, to, data })
      return { state: 'succeeds' }
    } catch (error) {
      const answer = revertDataOf(error)
      if (answer === null) throw error
      return { state: 'fails', data: answer }
    }
  }

  return {
    /**
     * Tries the calls one after the other on the newest block, without sending anything. A node without
     * `eth_simulateV1` tries the first only.
     */
    async tryCalls(from: Address, calls: readonly ContractCall[]): Promise<CallTrial[]> {
      const [first, ...others] = calls
      if (!first) return []
      const alone = await tryOne(from, first)
      if (others.length === 0 || alone.state === 'fails') return [alone, ...others.map(() => untried)]
      try {
        const block = { calls: calls.map(({ to, data }) => ({ from, to, data })) }
        const [tried] = await simulateBlocks(client, { blocks: [block] })
        return calls.map((_call, index): CallTrial => {
          const result = tried?.calls[index]
          if (!result) return untried
          return result.status === 'success' ? { state: 'succeeds' } : { state: 'fails', data: result.data }
        })
      } catch (error) {
        if (!isNodeRefusal(error)) throw error
        return [alone, ...others.map(() => untried)]
      }
    },

    // At the latest block: in the pending block, a call that replaces a waiting one would have happened already.
    estimateGas: (from: Address, { to, data }: ContractCall): Promise<bigint> =>
      estimateGas(client, { account: from, to, data, blockTag: 'latest' }),

    /** Returns null while no block has the transaction. */
    async receipt(hash: Hex): Promise<{ readonly isSuccess: boolean; readonly blockNumber: bigint } | null> {
      try {
        const { status, blockNumber } = await getTransactionReceipt(client, { hash })
        return { isSuccess: status === 'success', blockNumber }
      } catch (error) {
        if (error instanceof TransactionReceiptNotFoundError) return null
        throw error
      }
    },
  }
}

const untried: CallTrial = { state: 'untried' }

/** What a contract answered when it reverted, `0x` if the node does not tell it; null if the error is another one. */
export function revertDataOf(error: unknown): Hex | null {
  if (!(error instanceof BaseError)) return null
  const reverted = error.walk((cause) => typeof (cause as { data?: unknown }).data === 'string')
  const data = (reverted as { data?: unknown } | null)?.data
  if (typeof data === 'string' && data.startsWith('0x')) return data as Hex
  return error.walk((cause) => cause instanceof ExecutionRevertedError) === null ? null : '0x'
}

/** Whether nodes of two origins did not agree: they disagree, or only one answered. */
export const isLackOfAgreement = (error: unknown): error is NodesDisagree | NoSecondNode =>
  error instanceof NodesDisagree || error instanceof NoSecondNode

/** All nodes but this one. */
export const otherNodes = ({ nodes }: { readonly nodes: () => readonly ChainNode[] }, node: ChainNode): ChainNode[] =>
  nodes().filter((other) => other !== node)

export const isNodeFailure = (error: unknown): error is Error =>
  error instanceof BaseError || error instanceof NodeContradiction

/** A short error text. It leaves out the node's URL, which may contain a paid key. */
export function failureText(error: unknown): string {
  if (error instanceof BaseError) return [error.shortMessage, error.details].filter(Boolean).join(' ')
  return error instanceof Error ? error.message : String(error)
}

/** Whether the node was reachable, but refused the request or took too long. A rate limit (429) does not count. */
export function isNodeRefusal(error: unknown): boolean {
  if (error instanceof NoSecondNode) return isNodeRefusal(error.cause)
  if (error instanceof NodeTooLate) return true
  if (!(error instanceof BaseError)) return false
  return (
    error.walk(
      (cause) =>
        (cause instanceof RpcRequestError && !isRateLimit(cause)) ||
        cause instanceof TimeoutError ||
        (cause instanceof HttpRequestError && cause.status !== undefined && cause.status !== 429),
    ) !== null
  )
}

/** Providers also report a rate limit as an error of the request, with a code or a text of their own. */
const isRateLimit = ({ code, details }: RpcRequestError): boolean =>
  code === 429 || code === -32_007 || /rate limit|too many requests|compute units/i.test(details)

/** Returns the logs in chain order, each once: nodes need not keep an order. */
export function sortLogs(logs: readonly ChainLog[]): ChainLog[] {
  const byPlace = new Map(logs.map((log) => [`${log.blockNumber} ${log.logIndex}`, log]))
  return Array.from(byPlace.values()).sort(
    (one, other) => Number(one.blockNumber - other.blockNumber) || one.logIndex - other.logIndex,
  )
}

function readLogs(found: unknown): ChainLog[] {
  if (!Array.isArray(found)) throw new NodeContradiction('the node returned no list of logs')
  return sortLogs((found as RpcLog[]).map(readLog))
}

function readLog(log: RpcLog): ChainLog {
  const { blockNumber, blockHash, transactionHash, logIndex } = log
  if (log.removed || !blockNumber || !blockHash || !transactionHash || !logIndex)
    throw new NodeContradiction('the node returned a log that is not on the chain')
  return {
    address: lower(log.address),
    topics: log.topics.map(lower),
    data: lower(log.data),
    blockNumber: BigInt(blockNumber),
    blockHash: lower(blockHash),
    tx: lower(transactionHash),
    logIndex: Number(logIndex),
  }
}

const lower = (hex: Hex): Hex => hex.toLowerCase() as Hex
