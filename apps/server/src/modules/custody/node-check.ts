import type { ChainNode } from '../../platform/chain/node.ts'
import { foreignChain, wrongContracts } from './identity-check.ts'
import { CannotGoOn } from './posting.ts'
import type { BlockRef, ChainState } from './state.ts'
import type { WatcherContext } from './watcher-context.ts'

/** The node's chain is shorter than the posted block, which was final. */
export class ChainTooShort extends Error {}

/**
 * Returns an error text if the ledger belongs to another chain or vault than the configured one; null if they match.
 * This reason is not stored as a stop: once the configuration is right again, the same ledger can be used.
 */
export function wrongBooks({ chain }: WatcherContext, state: ChainState): string | null {
  const same = state.chainId === chain.id && state.vault === chain.contracts.vault
  return same ? null : `the books are those of vault ${state.vault} on chain ${state.chainId}`
}

/** Throws `CannotGoOn` if the node is on another chain or the configured contracts are wrong. */
export async function recognizeNode(
  { chain, recognized }: WatcherContext,
  node: ChainNode,
  state: ChainState | null,
): Promise<void> {
  const genesisHash = recognized.has(node) ? null : (chain.genesisHash ?? state?.genesisHash ?? null)
  const foreign = await foreignChain(node, { chainId: chain.id, genesisHash })
  if (foreign) throw new CannotGoOn(foreign)
  if (recognized.has(node)) return
  const wrong = await wrongContracts(node, chain.contracts)
  if (wrong) throw new CannotGoOn(wrong)
  recognized.add(node)
}

/** Throws if the node does not have the posted block, or has another block in its place. */
export async function checkPostedBlock({ beliefs }: WatcherContext, node: ChainNode, posted: BlockRef): Promise<void> {
  const found = await node.block(posted.number)
  if (!found) throw new ChainTooShort(`${node.name} has no block ${posted.number}, which was final`)
  beliefs.chainTooShort.contradict()
  if (found.hash !== posted.hash)
    throw new CannotGoOn(`block ${posted.number} was final as ${posted.hash}; ${node.name} has ${found.hash}`)
}
