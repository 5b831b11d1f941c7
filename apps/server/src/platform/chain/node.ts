import {
  type Abi,
  type Address,
  BaseError,
  BlockNotFoundError,
  type Client,
  type ContractFunctionArgs,
  type ContractFunctionName,
  createClient,
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
} from 'viem'
import {
  estimateMaxPriorityFeePerGas,
  getBalance,
  getBlock,
  getChainId,
  getCode,
  getTransaction,
  getTransactionCount,
  readContract,
  sendRawTransaction,
} from 'viem/actions'
import type { Finality } from '../config/config.ts'

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

/** Two answers of one node contradict each other: the chain moved, or several nodes answer behind one address. */
export class NodeContradiction extends Error {}

const TIMEOUT_MS = 10_000
const MOST_BLOCKS_AT_ONCE = 20
/**
 * The widest range that public nodes commonly allow in one log query. If a node allows less, the range is halved until
 * it answers.
 */
const WIDEST_RANGE = 1_000n
/**
 * After this many answers a wider range is tried again: soon enough after a bad hour, and seldom enough not to burden
 * the node.
 */
const WIDEN_AFTER = 100

export type ChainNode = ReturnType<typeof createNode>

/**
 * One node of the chain. Every error that it throws is a fault of the node or of the network; nothing is retried here.
 */
export function createNode(url: string) {
  const client = createClient({ transport: http(url, { timeout: TIMEOUT_MS, retryCount: 0 }) })
  return {
    /** Without the path, which may contain a paid key. */
    name: new URL(url).origin,

    chainId: (): Promise<number> => getChainId(client),

    read<
      const A extends Abi,
      F extends ContractFunctionName<A, 'pure' | 'view'>,
      const Args extends ContractFunctionArgs<A, 'pure' | 'view', F>,
    >(call: ReadContractParameters<A, F, Args>): Promise<ReadContractReturnType<A, F, Args>> {
      return readContract(client, call)
    },

    readRange: createRangeReader(),
    ...blockReads(client),
    ...logReads(client),
    ...accountReads(client),
    ...transactionSending(client),
  }
}

function blockReads(client: Client) {
  const block = async (at: bigint | 'latest' | 'finalized'): Promise<Block | null> => {
    try {
      const which = typeof at === 'bigint' ? { blockNumber: at } : { blockTag: at }
      const { number, hash, parentHash, timestamp } = await getBlock(client, which)
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
    /** Null if the chain does not reach that far. */
    block,

    async head(finality: Finality): Promise<{ latest: Block; finalized: Block }> {
      const latest = await blockOrFail('latest')
      if (finality.kind === 'finalized') return { latest, finalized: await blockOrFail('finalized') }
      const number = latest.number > finality.blocks ? latest.number - finality.blocks : 0n
      return { latest, finalized: await blockOrFail(number) }
    },

    /** The blocks with these numbers. */
    async blocks(numbers: readonly bigint[]): Promise<Block[]> {
      const found: Block[] = []
      for (let start = 0; start < numbers.length; start += MOST_BLOCKS_AT_ONCE)
        found.push(...(await Promise.all(numbers.slice(start, start + MOST_BLOCKS_AT_ONCE).map(blockOrFail))))
      return found
    },
  }
}

const logReads = (client: Client) => ({
  async logs(filter: LogFilter, from: bigint, to: bigint): Promise<ChainLog[]> {
    const found = await client.request({
      method: 'eth_getLogs',
      params: [
        {
          address: filter.address as Address | Address[],
          topics: (filter.topics ?? []) as Hex[],
          fromBlock: numberToHex(from),
          toBlock: numberToHex(to),
        },
      ],
    })
    return found.map(readLog)
  },

  /** All logs of one transaction; null if it is in no block, or the node has dropped that block. */
  async logsOf(tx: Hex): Promise<ChainLog[] | null> {
    const receipt = await client.request({ method: 'eth_getTransactionReceipt', params: [tx] })
    return receipt?.logs.map(readLog) ?? null
  },
})

/**
 * Returns a function that reads logs from one block on, as far as the node answers at once: a refused range is halved
 * until the node accepts it. It remembers the accepted width, and returns the last block that it read.
 */
function createRangeReader() {
  let range = WIDEST_RANGE
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
        if (answered % WIDEN_AFTER === 0 && range < WIDEST_RANGE) range *= 2n
        return { to, value }
      } catch (error) {
        if (to === from) range = WIDEST_RANGE
        if (to === from || !isRefusal(error)) throw error
        range = (to - from + 1n) / 2n
      }
    }
  }
}

const accountReads = (client: Client) => ({
  /** How many transactions of an account are in blocks: the nonce of its next one. */
  async transactionCount(address: Address, at: AtBlock | { readonly blockTag: 'latest' }): Promise<bigint> {
    return BigInt(await getTransactionCount(client, { address, ...at }))
  },

  balance: (address: Address): Promise<bigint> => getBalance(client, { address }),

  async hasCode(address: Address, blockNumber: bigint): Promise<boolean> {
    return (await getCode(client, { address, blockNumber })) !== undefined
  },
})

function transactionSending(client: Client) {
  const knows = async (hash: Hex): Promise<boolean> => {
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

    /** Sends a signed transaction. If a node refuses it because it already has it, that counts as success. */
    async send(raw: Hex, hash: Hex): Promise<void> {
      try {
        await sendRawTransaction(client, { serializedTransaction: raw })
      } catch (error) {
        if (!isRefusal(error) || !(await knows(hash))) throw error
      }
    },
  }
}

export const isNodeFailure = (error: unknown): error is Error =>
  error instanceof BaseError || error instanceof NodeContradiction

/** A short text without the node's address, which may contain a paid key. */
export function failureText(error: unknown): string {
  if (error instanceof BaseError) return [error.shortMessage, error.details].filter(Boolean).join(' ')
  return error instanceof Error ? error.message : String(error)
}

/**
 * The node was reachable but refused the question or took too long. Being unreachable or rate-limited does not count.
 */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  return (
    error.walk(
      (cause) =>
        cause instanceof RpcRequestError ||
        cause instanceof TimeoutError ||
        (cause instanceof HttpRequestError && cause.status !== undefined && cause.status !== 429),
    ) !== null
  )
}

function readLog(log: RpcLog): ChainLog {
  const { blockNumber, blockHash, transactionHash, logIndex } = log
  if (log.removed || !blockNumber || !blockHash || !transactionHash || !logIndex)
    throw new NodeContradiction('a log that is not on the chain was given for one that is')
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
