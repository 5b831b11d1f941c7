import type { Address } from 'viem'
import { type Block, type ChainLog, type ChainNode, NodeContradiction } from '../../platform/chain/node.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import { readPoolLogs } from './pool-logs.ts'

/** The most logs in one run. A run of a single block may have more. */
const MAX_LOGS = 200

export type FinalRun = {
  readonly logs: readonly ChainLog[]
  readonly last: bigint
  /** The blocks that have logs, and the last block. */
  readonly blocks: ReadonlyMap<bigint, Block>
}

/** Reads the next final blocks and their logs, as many as one run may have. Checks the logs' block hashes. */
export async function readFinalRun(
  node: ChainNode,
  pool: PoolContracts,
  cold: ReadonlySet<Address>,
  after: bigint,
  finalized: Block,
): Promise<FinalRun> {
  const range = await node.readRange(after + 1n, finalized.number, (from, to) =>
    readPoolLogs(node, pool, cold, from, to),
  )
  const { logs, last } = cutToWholeBlocks(range.value, range.to)
  const numbers = Array.from(new Set([...logs.map(({ blockNumber }) => blockNumber), last]))
  const blocks = new Map((await node.blocks(numbers)).map((block) => [block.number, block]))
  for (const log of logs)
    if (blocks.get(log.blockNumber)?.hash !== log.blockHash)
      throw new NodeContradiction(`a log of block ${log.blockNumber} has another block hash than the final block`)
  return { logs, last, blocks }
}

/** Keeps at most MAX_LOGS logs, of whole blocks only, and always the first block. */
function cutToWholeBlocks(logs: readonly ChainLog[], to: bigint): { logs: readonly ChainLog[]; last: bigint } {
  const first = logs[0]
  const beyond = logs[MAX_LOGS]
  if (!first || !beyond) return { logs, last: to }
  const last = beyond.blockNumber > first.blockNumber ? beyond.blockNumber - 1n : first.blockNumber
  return { logs: logs.filter(({ blockNumber }) => blockNumber <= last), last }
}
