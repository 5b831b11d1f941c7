import type { Address } from 'viem'
import { type ChainNode, NodeContradiction } from '../../platform/chain/node.ts'
import type { Release } from './releases.ts'
import { believedCount } from './rules.ts'
import { inTime, otherNodes, type SendingContext } from './sending-context.ts'

export type Unmined = {
  readonly own: Release[]
  /** Releases of a former payer's key. They can be sent again, but no new version of them can be signed. */
  readonly others: Release[]
  /** How many transactions of the payer are in blocks: the next nonce. */
  readonly count: bigint
}

/**
 * Finds the releases that are in no block. Every node is asked. The turn's own node must answer; another one that fails
 * is left out. `signed` is the highest nonce that was signed.
 */
export async function findUnmined(
  context: SendingContext,
  node: ChainNode,
  open: readonly Release[],
  signed: bigint,
): Promise<Unmined> {
  const { signing, nodes, waitingTimes } = context
  const { account, chain } = signing
  const addresses = [...new Set([account.address, ...open.map((release) => release.payer)])]
  const [ownCounts, ...otherCounts] = await Promise.all([
    countsBy(node, addresses),
    ...otherNodes(context, node).map((other) =>
      inTime(
        countsOnChain(other, chain.id, addresses).catch(() => null),
        null,
      ),
    ),
  ])
  const allCounts = [ownCounts, ...otherCounts.filter((counts) => counts !== null)]
  const countsOf = (address: Address): bigint[] => allCounts.map((counts) => counts.get(address) ?? 0n)

  const count = believedCount(countsOf(account.address), signed, nodes.length)
  const ownCount = ownCounts.get(account.address) ?? 0n
  if (count === null || (ownCount > count && ownCount > signed + 1n))
    throw new NodeContradiction(
      `${node.name} knows of ${ownCount} transactions of the payer's, of which ${signed + 1n} are known, and no other node does`,
    )
  const isMined = ({ payer, nonce }: Release): boolean =>
    payer === account.address ? nonce < count : countsOf(payer).some((mined) => nonce < mined)
  const unmined = open.filter((release) => !isMined(release))
  waitingTimes.keepOnly(new Set(unmined.flatMap(({ number, form }) => [number, form.hash])))
  return {
    own: unmined.filter((release) => release.payer === account.address),
    others: unmined.filter((release) => release.payer !== account.address),
    count,
  }
}

type Counts = Map<Address, bigint>

async function countsBy(node: ChainNode, addresses: readonly Address[]): Promise<Counts> {
  const counts = addresses.map((address) => node.transactionCount(address, { blockTag: 'latest' }))
  return new Map((await Promise.all(counts)).map((count, place) => [addresses[place] as Address, count]))
}

/** Returns null if the node is on another chain. For the other nodes; the turn has checked its own already. */
async function countsOnChain(node: ChainNode, chainId: number, addresses: readonly Address[]): Promise<Counts | null> {
  const [foundId, counts] = await Promise.all([node.chainId(), countsBy(node, addresses)])
  return foundId === chainId ? counts : null
}
