import { type Address, type Hex, pad } from 'viem'
import type { ChainReader } from '../../platform/chain/agreed-chain.ts'
import { type ChainLog, isNodeRefusal, type LogFilter, NodeContradiction, sortLogs } from '../../platform/chain/node.ts'
import { allVaultsOf, type PoolContracts } from '../../platform/config/pool-contracts.ts'
import { findPoolAddresses, TRANSFER_TOPIC } from './interpret-logs.ts'

/**
 * Reads all logs that can concern the ledger: the events of all vaults, and Transfers of the three tokens from or to
 * every vault and cold address. It does not request logs of other tokens, because their contracts can emit anything.
 */
export async function readPoolLogs(
  node: ChainReader,
  pool: PoolContracts,
  cold: ReadonlySet<Address>,
  from: bigint,
  to: bigint,
): Promise<ChainLog[]> {
  const queryLogs = (filter: LogFilter): Promise<ChainLog[]> =>
    from === to ? readBlockLogs(node, filter, from) : node.logs(filter, from, to)
  const vaults = allVaultsOf(pool)
  const vaultLogs = await queryLogs({ address: vaults })
  const holders = [...vaults, ...new Set([...cold, ...findPoolAddresses(vaultLogs, 'cold')])].map(
    (address) => pad(address).toLowerCase() as Hex,
  )
  const tokens = Object.values(pool.tokens).map(({ address }) => address)
  const [transfersIn, transfersOut] = await Promise.all([
    queryLogs({ address: tokens, topics: [TRANSFER_TOPIC, null, holders] }),
    queryLogs({ address: tokens, topics: [TRANSFER_TOPIC, holders] }),
  ])
  const logs = sortLogs([...vaultLogs, ...transfersIn, ...transfersOut])
  if (logs.some(({ blockNumber }) => blockNumber < from || blockNumber > to))
    throw new NodeContradiction('the node returned a log of a block that was not requested')
  return logs
}

/** If the node refuses to return all logs of a block at once, requests them token by token and address by address. */
async function readBlockLogs(node: ChainReader, filter: LogFilter, block: bigint): Promise<ChainLog[]> {
  try {
    return await node.logs(filter, block, block)
  } catch (error) {
    const parts = splitFilter(filter)
    if (parts.length < 2 || !isNodeRefusal(error)) throw error
    const logs: ChainLog[] = []
    for (const part of parts) logs.push(...(await readBlockLogs(node, part, block)))
    return logs
  }
}

/** Splits a filter at its first list of several values, into one filter for each value. */
function splitFilter({ address, topics = [] }: LogFilter): LogFilter[] {
  if (Array.isArray(address) && address.length > 1) return address.map((one) => ({ address: one, topics }))
  const index = topics.findIndex((topic) => Array.isArray(topic) && topic.length > 1)
  const topicList = topics[index]
  return Array.isArray(topicList) ? topicList.map((one) => ({ address, topics: topics.with(index, one) })) : []
}
