import type { Address } from 'viem'
import { type ChainNode, NodeContradiction } from '../../platform/chain/node.ts'
import type { Release } from './releases.ts'
import { chooseTransactionCount } from './rules.ts'
import { otherNodes, type SendingContext, withOtherNodeTimeout } from './sending-context.ts'

export type UnminedReleases = {
  readonly own: Release[]
  /** Releases of a former payer. Its key is gone, so they can be sent again, but not signed with a higher fee. */
  readonly others: Release[]
  /** How many transactions of the payer are in blocks. This number is also the next nonce. */
  readonly minedCount: bigint
}

/**
 * Finds the releases that are in no block. It asks every node for its transaction counts. The node of this turn must
 * answer; a different node that fails is left out. `signed` is the highest nonce that was signed here.
 */
export async function findUnmined(
  context: SendingContext,
  node: ChainNode,
  open: readonly Release[],
  signed: bigint,
): Promise<UnminedReleases> {
  const { signer, nodes, waitingTimes } = context
  const { account, chain } = signer
  const addresses = [...new Set([account.address, ...open.map((release) => release.payer)])]
  const [ownCounts, ...otherCounts] = await Promise.all([
    readCounts(node, addresses),
    ...otherNodes(context, node).map((other) =>
      withOtherNodeTimeout(
        readCountsIfOnChain(other, chain.id, addresses).catch(() => null),
        null,
      ),
    ),
  ])
  const allCounts = [ownCounts, ...otherCounts.filter((counts) => counts !== null)]
  const countsOf = (address: Address): bigint[] => allCounts.map((counts) => counts.get(address) ?? 0n)

  const minedCount = chooseTransactionCount(countsOf(account.address), signed, nodes.length)
  const ownCount = ownCounts.get(account.address) ?? 0n
  if (minedCount === null || (ownCount > minedCount && ownCount > signed + 1n))
    throw new NodeContradiction(
      `${node.name} reports ${ownCount} transactions of the payer; only ${signed + 1n} were signed here, and no other node confirms it`,
    )
  const isMined = ({ payer, nonce }: Release): boolean =>
    payer === account.address ? nonce < minedCount : countsOf(payer).some((mined) => nonce < mined)
  const unmined = open.filter((release) => !isMined(release))
  waitingTimes.keepOnly(new Set(unmined.flatMap(({ number, latestVersion }) => [number, latestVersion.hash])))
  return {
    own: unmined.filter((release) => release.payer === account.address),
    others: unmined.filter((release) => release.payer !== account.address),
    minedCount,
  }
}

type Counts = Map<Address, bigint>

async function readCounts(node: ChainNode, addresses: readonly Address[]): Promise<Counts> {
  const counts = addresses.map((address) => node.transactionCount(address, { blockTag: 'latest' }))
  return new Map((await Promise.all(counts)).map((count, index) => [addresses[index] as Address, count]))
}

/** Returns null if the node is on another chain. Used for the other nodes: the turn has already checked its own. */
async function readCountsIfOnChain(
  node: ChainNode,
  chainId: number,
  addresses: readonly Address[],
): Promise<Counts | null> {
  const [foundId, counts] = await Promise.all([node.chainId(), readCounts(node, addresses)])
  return foundId === chainId ? counts : null
}
