import { type Address, type Hex, pad } from 'viem'
import {
  type ChainLog,
  type ChainNode,
  isRefusal,
  type LogFilter,
  NodeContradiction,
} from '../../platform/chain/node.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import { coldNamedIn, TRANSFER } from './rules.ts'

/**
 * Reads all logs that can concern the ledger: the vault's events, and Transfers of the three tokens from or to the
 * vault and every cold address. Logs of other tokens are not requested, because such a token can emit anything.
 */
export async function readPoolLogs(
  node: ChainNode,
  pool: PoolContracts,
  cold: ReadonlySet<Address>,
  from: bigint,
  to: bigint,
): Promise<ChainLog[]> {
  const ask = (filter: LogFilter): Promise<ChainLog[]> =>
    from === to ? logsOfBlock(node, filter, from) : node.logs(filter, from, to)
  const ofVault = await ask({ address: pool.vault })
  const holders = [pool.vault, ...new Set([...cold, ...coldNamedIn(ofVault)])].map(
    (address) => pad(address).toLowerCase() as Hex,
  )
  const tokens = Object.values(pool.tokens).map(({ address }) => address)
  const [into, out] = await Promise.all([
    ask({ address: tokens, topics: [TRANSFER, null, holders] }),
    ask({ address: tokens, topics: [TRANSFER, holders] }),
  ])
  const logs = new Map<string, ChainLog>()
  for (const log of [...ofVault, ...into, ...out]) {
    if (log.blockNumber < from || log.blockNumber > to) throw new NodeContradiction('a log of a block not asked for')
    logs.set(`${log.blockNumber} ${log.logIndex}`, log)
  }
  return Array.from(logs.values()).sort(
    (one, other) => Number(one.blockNumber - other.blockNumber) || one.logIndex - other.logIndex,
  )
}

/** If one block has more logs than the node returns at once, asks for them token by token and address by address. */
async function logsOfBlock(node: ChainNode, filter: LogFilter, block: bigint): Promise<ChainLog[]> {
  try {
    return await node.logs(filter, block, block)
  } catch (error) {
    const parts = partsOf(filter)
    if (parts.length < 2 || !isRefusal(error)) throw error
    const logs: ChainLog[] = []
    for (const part of parts) logs.push(...(await logsOfBlock(node, part, block)))
    return logs
  }
}

/** Splits a filter by its first list, one filter for each element. */
function partsOf({ address, topics = [] }: LogFilter): LogFilter[] {
  if (Array.isArray(address) && address.length > 1) return address.map((one) => ({ address: one, topics }))
  const place = topics.findIndex((topic) => Array.isArray(topic) && topic.length > 1)
  const listed = topics[place]
  return Array.isArray(listed) ? listed.map((one) => ({ address, topics: topics.with(place, one) })) : []
}
