import { btnTokenAbi } from '@lode/contracts'
import { type Asset, ok, type Result, refused } from '@lode/kernel'
import { encodeFunctionData } from 'viem'
import { type ChainLog, type ChainNode, type LogFilter, NodeContradiction } from '../../platform/chain/node.ts'
import { formatCoins } from '../../platform/config/pool-contracts.ts'
import type { Caller, PlannedCall } from './call-plan.ts'

/** Checks that the account holds the amount, and says how much it holds. */
export async function checkBalance(
  { node, address, config: { contracts } }: Caller,
  asset: Asset,
  amount: bigint,
): Promise<Result<bigint, string>> {
  const token = contracts.tokens[asset].address
  const held = await node.read({ address: token, abi: btnTokenAbi, functionName: 'balanceOf', args: [address] })
  return held < amount
    ? refused(
        `${address} holds ${formatCoins(contracts, asset, held)}, which is less than ${formatCoins(contracts, asset, amount)}.`,
      )
    : ok(held)
}

/** The approval that the vault needs to take the amount: none if it may already, and never of more than the amount. */
export async function planApproval(
  { node, address, config: { contracts } }: Caller,
  asset: Asset,
  amount: bigint,
): Promise<PlannedCall[]> {
  const { vault, tokens } = contracts
  const token = tokens[asset].address
  const allowed = await node.read({
    address: token,
    abi: btnTokenAbi,
    functionName: 'allowance',
    args: [address, vault],
  })
  if (allowed >= amount) return []
  return [
    {
      name: 'approve',
      purpose: `so that the vault may take ${formatCoins(contracts, asset, amount)} (so far ${formatCoins(contracts, asset, allowed)})`,
      to: token,
      data: encodeFunctionData({ abi: btnTokenAbi, functionName: 'approve', args: [vault, amount] }),
    },
  ]
}

/** The logs in the blocks that the pool has not posted yet, up to the newest one. */
export const readUnpostedLogs = (caller: Caller, filter: LogFilter, posted: bigint): Promise<ChainLog[]> =>
  searchAllNodes(caller, (node) => readLogsSince(node, filter, posted + 1n))

/** What any of the nodes shows. One may be behind or lie, and a payment that another one shows is enough to stop. */
export async function searchAllNodes(
  { nodes }: Caller,
  search: (node: ChainNode) => Promise<ChainLog[]>,
): Promise<ChainLog[]> {
  const found = (await Promise.all(nodes.map(search))).flat()
  const different = new Map(found.map((log) => [`${log.tx} ${log.logIndex} ${log.data}`, log]))
  return Array.from(different.values()).sort((one, other) => Number(one.blockNumber - other.blockNumber))
}

/** About a week on Ethereum, where a block takes 12 seconds. Less where blocks are faster. */
const RECENT_BLOCKS = 50_000n

/** The logs in recent blocks, and in all that the pool has not posted yet. `posted` is the pool's newest block. */
export async function readRecentLogs(node: ChainNode, filter: LogFilter, posted: bigint): Promise<ChainLog[]> {
  const newest = await readNewest(node, posted)
  const recent = newest > RECENT_BLOCKS ? newest - RECENT_BLOCKS : 0n
  const first = posted < recent ? posted + 1n : recent
  return readLogsBetween(node, filter, first, newest)
}

/** The logs from this block up to the newest one. */
export const readLogsSince = async (node: ChainNode, filter: LogFilter, first: bigint): Promise<ChainLog[]> =>
  readLogsBetween(node, filter, first, await readNewest(node, first - 1n))

async function readLogsBetween(node: ChainNode, filter: LogFilter, first: bigint, last: bigint): Promise<ChainLog[]> {
  const logs: ChainLog[] = []
  for (let from = first; from <= last; ) {
    const { to, value } = await node.readRange(from, last, (start, end) => node.logs(filter, start, end))
    logs.push(...value)
    from = to + 1n
  }
  return logs
}

/** The node's newest block. The pool has read up to `known`: a node that lacks that block shows too few logs. */
async function readNewest(node: ChainNode, known: bigint): Promise<bigint> {
  const newest = await node.block('latest')
  if (!newest) throw new NodeContradiction('the node has no newest block')
  if (newest.number < known)
    throw new NodeContradiction(`the node ${node.name} has no block after ${newest.number} and is behind the pool`)
  return newest.number
}
