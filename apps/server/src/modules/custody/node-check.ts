import type { ChainNode } from '../../platform/chain/node.ts'
import type { BlockRef, ChainState } from './chain-state.ts'
import { describeForeignChain, describeWrongContracts } from './identity-check.ts'
import { WatcherMustStop } from './post-blocks.ts'
import type { WatcherContext } from './watcher-context.ts'

/** The node does not have the posted block, although that block was final. */
export class ChainTooShort extends Error {}

/**
 * Throws `WatcherMustStop` if the node is on another chain or the configured contracts are wrong. The chain id is
 * checked in every turn; genesis block and contracts are checked once, until the node fails.
 */
export async function recognizeNode(
  { chain, recognized }: WatcherContext,
  node: ChainNode,
  state: ChainState | null,
): Promise<void> {
  const genesisHash = recognized.has(node) ? null : (chain.genesisHash ?? state?.genesisHash ?? null)
  const foreign = await describeForeignChain(node, { chainId: chain.id, genesisHash })
  if (foreign) throw new WatcherMustStop(foreign)
  if (recognized.has(node)) return
  const wrong = await describeWrongContracts(node, chain.contracts)
  if (wrong) throw new WatcherMustStop(wrong)
  recognized.add(node)
}

/** Throws if the node does not have the posted block, or has another block with that number. */
export async function checkPostedBlock({ claims }: WatcherContext, node: ChainNode, posted: BlockRef): Promise<void> {
  const found = await node.block(posted.number)
  if (!found) throw new ChainTooShort(`${node.name} has no block ${posted.number}, which was final`)
  claims.chainTooShort.reset()
  if (found.hash !== posted.hash)
    throw new WatcherMustStop(`block ${posted.number} was final as ${posted.hash}; ${node.name} has ${found.hash}`)
}
