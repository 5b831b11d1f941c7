import { type Address, type Hex, pad } from 'viem'
import { type ChainLog, type ChainNode, NodeContradiction } from '../../platform/chain/node.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import { coldNamedIn, TRANSFER } from './rules.ts'

/**
 * Everything that can concern the books: what the vault tells, and the Transfers of the three tokens from or to the vault and
 * every cold address. A token that is not the pool's can emit what it likes: it is not asked about.
 */
export async function readPoolLogs(
  node: ChainNode,
  pool: PoolContracts,
  cold: ReadonlySet<Address>,
  from: bigint,
  to: bigint,
): Promise<ChainLog[]> {
  const ofVault = await node.logs({ address: pool.vault }, from, to)
  const holders = [pool.vault, ...new Set([...cold, ...coldNamedIn(ofVault)])].map(
    (address) => pad(address).toLowerCase() as Hex,
  )
  const tokens = Object.values(pool.tokens).map(({ address }) => address)
  const [into, out] = await Promise.all([
    node.logs({ address: tokens, topics: [TRANSFER, null, holders] }, from, to),
    node.logs({ address: tokens, topics: [TRANSFER, holders] }, from, to),
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
