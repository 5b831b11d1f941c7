import type { Address } from 'viem'
import { type ChainNode, NodeContradiction, otherNodes } from '../../platform/chain/node.ts'
import type { Release } from './releases.ts'
import { chooseTransactionCount, confirmedCount, type LastNonces } from './rules.ts'
import { type SendingContext, withOtherNodeTimeout } from './sending-context.ts'

export type UnminedReleases = {
  readonly own: Release[]
  /** Releases of a former payer. Its key is gone, so they can be sent again, but not signed with a higher fee. */
  readonly others: Release[]
  /** How many transactions of the payer are in blocks. This number is also the next nonce. */
  readonly minedCount: bigint
}

/**
 * Finds the releases that are in no block. It asks every node for its transaction counts. The node of this turn must
 * answer; a different node that fails is left out.
 */
export async function findUnmined(
  context: SendingContext,
  node: ChainNode,
  open: readonly Release[],
  lastNonces: LastNonces,
): Promise<UnminedReleases> {
  const { signer, nodes, waitingTimes } = context
  const { account, chain } = signer
  const addresses = [...new Set([account.address, ...open.map((release) => release.payer)])]
  const others = otherNodes(context, node)
  const [ownCounts, ...otherCounts] = await Promise.all([
    readCounts(node, addresses),
    ...others.map((other) =>
      withOtherNodeTimeout(
        readCountsIfOnChain(other, chain.id, addresses).catch(() => null),
        null,
      ),
    ),
  ])
  const allCounts = [{ origin: node.name, counts: ownCounts }]
  for (const [index, counts] of otherCounts.entries())
    if (counts) allCounts.push({ origin: others[index]?.name ?? '', counts })
  const countsOf = (address: Address): bigint[] => highestByOrigin(allCounts, address)
  const origins = new Set(nodes().map(({ name }) => name)).size

  const minedCount = chooseTransactionCount(countsOf(account.address), lastNonces, origins)
  const { signed } = lastNonces
  const ownCount = ownCounts.get(account.address) ?? 0n
  if (minedCount === null || (ownCount > minedCount && ownCount > signed + 1n))
    throw new NodeContradiction(
      `${node.name} reports ${ownCount} transactions of the payer; only ${signed + 1n} were signed here, and no other node confirms it`,
    )
  const isMined = ({ payer, nonce }: Release): boolean =>
    nonce < (payer === account.address ? minedCount : confirmedCount(countsOf(payer)))
  const unmined = open.filter((release) => !isMined(release))
  waitingTimes.keepOnly(new Set(unmined.flatMap(({ number, latestVersion }) => [number, latestVersion.hash])))
  return {
    own: unmined.filter((release) => release.payer === account.address),
    others: unmined.filter((release) => release.payer !== account.address),
    minedCount,
  }
}

type Counts = Map<Address, bigint>

/** Two URLs of one origin count as one node. */
function highestByOrigin(all: readonly { origin: string; counts: Counts }[], address: Address): bigint[] {
  const highest = new Map<string, bigint>()
  for (const { origin, counts } of all) {
    const count = counts.get(address) ?? 0n
    if (count >= (highest.get(origin) ?? 0n)) highest.set(origin, count)
  }
  return [...highest.values()]
}

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
