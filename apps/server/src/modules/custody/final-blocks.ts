import type { Address } from 'viem'
import type { ChainReader } from '../../platform/chain/agreed-chain.ts'
import { type Block, type ChainLog, NodeContradiction } from '../../platform/chain/node.ts'
import { allVaultsOf, type PoolContracts } from '../../platform/config/pool-contracts.ts'
import { findUnknownMove, type VaultMove } from './interpret-logs.ts'
import { readPoolLogs } from './pool-logs.ts'

/** The most logs in one run. A run of a single block may have more. */
const MAX_LOGS = 200
const MAX_PARALLEL_BLOCKS = 5

export type FinalRun = {
  readonly logs: readonly ChainLog[]
  readonly last: bigint
  /** The blocks that have logs, and the last block. */
  readonly blocks: ReadonlyMap<bigint, Block>
}

/**
 * The vault has moved its money to a vault that the configuration does not name. The ledger waits before that block,
 * until two operators have decided that this vault is the pool's.
 */
export class VaultMoved extends Error {
  constructor({ blockNumber, from, successor }: VaultMove) {
    super(
      `in block ${blockNumber} the vault ${from} moved to ${successor}: two operators must run lode vault migrate, and ` +
        'VAULT_ADDRESS and FORMER_VAULTS must name the new and the old vault',
    )
  }
}

/**
 * Reads the next final blocks and their logs, as many as one run may have, and checks the logs against their blocks. If
 * a node refuses, or nodes disagree, fewer blocks are read. A run ends before a block in which the vault moves to a vault
 * that is not the pool's yet.
 */
export async function readFinalRun(
  node: ChainReader,
  pool: PoolContracts,
  cold: ReadonlySet<Address>,
  after: bigint,
  finalized: bigint,
): Promise<FinalRun> {
  const range = await node.readRange(after + 1n, finalized, async (from, to): Promise<FinalRun> => {
    const all = await readPoolLogs(node, pool, cold, from, to)
    const move = findUnknownMove(all, pool)
    if (move?.blockNumber === from) throw new VaultMoved(move)
    const { logs, last } = cutToWholeBlocks(all, move ? move.blockNumber - 1n : to)
    const numbers = Array.from(new Set([...logs.map(({ blockNumber }) => blockNumber), last]))
    const blocks = new Map((await node.blocks(numbers)).map((block) => [block.number, block]))
    for (const log of logs)
      if (blocks.get(log.blockNumber)?.hash !== log.blockHash)
        throw new NodeContradiction(`a log of block ${log.blockNumber} has another block hash than the final block`)
    await checkVaultEvents(node, pool, logs, blocks)
    return { logs, last, blocks }
  })
  return range.value
}

/**
 * Reads the vault's events of each block with logs once more, by the block's hash. Events and Transfers are read by two
 * queries for a range, and a node can learn of a block between them. Then a Transfer would appear without its event,
 * and for example dividend funding would be posted as a plain transfer of the funder.
 */
async function checkVaultEvents(
  node: ChainReader,
  pool: PoolContracts,
  logs: readonly ChainLog[],
  blocks: ReadonlyMap<bigint, Block>,
): Promise<void> {
  const vaults = allVaultsOf(pool)
  const vaultAddresses = new Set<string>(vaults.map((vault) => vault.toLowerCase()))
  const logsByBlock = Array.from(Map.groupBy(logs, ({ blockNumber }) => blockNumber))
  for (let start = 0; start < logsByBlock.length; start += MAX_PARALLEL_BLOCKS)
    await Promise.all(
      logsByBlock.slice(start, start + MAX_PARALLEL_BLOCKS).map(async ([number, inRange]) => {
        const block = blocks.get(number)
        const inBlock = block ? await node.logsInBlock({ address: vaults }, block) : []
        const indexes = (list: readonly ChainLog[]) => list.map(({ logIndex }) => logIndex).join()
        if (indexes(inBlock) !== indexes(inRange.filter(({ address }) => vaultAddresses.has(address))))
          throw new NodeContradiction(`${node.name} returned only some events of the vault in block ${number}`)
      }),
    )
}

/** Keeps at most MAX_LOGS logs up to a block, of whole blocks only, and always the first block. */
function cutToWholeBlocks(all: readonly ChainLog[], to: bigint): { logs: readonly ChainLog[]; last: bigint } {
  const logs = all.filter(({ blockNumber }) => blockNumber <= to)
  const first = logs[0]
  const beyond = logs[MAX_LOGS]
  if (!first || !beyond) return { logs, last: to }
  const last = beyond.blockNumber > first.blockNumber ? beyond.blockNumber - 1n : first.blockNumber
  return { logs: logs.filter(({ blockNumber }) => blockNumber <= last), last }
}
