import type { Hex } from 'viem'
import { type AtBlock, type ChainNode, isRefusal, NodeContradiction } from './node.ts'

/**
 * Reads the state at exactly one block, by its hash. If a node does not support reads by hash, it reads by number and
 * checks that the block is the same before and after.
 */
export async function askAt<T>(
  node: ChainNode,
  block: { readonly number: bigint; readonly hash: Hex },
  ask: (at: AtBlock) => Promise<T>,
): Promise<T> {
  try {
    return await ask({ blockHash: block.hash, requireCanonical: true })
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
  const check = async (): Promise<void> => {
    if ((await node.block(block.number))?.hash !== block.hash)
      throw new NodeContradiction(`${node.name} has another block ${block.number}`)
  }
  await check()
  const answer = await ask({ blockNumber: block.number })
  await check()
  return answer
}
