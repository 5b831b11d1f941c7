import type { Hex } from 'viem'
import type { ChainReader } from './agreed-chain.ts'
import { type AtBlock, isNodeRefusal, NodeContradiction } from './node.ts'

/**
 * Reads the state at exactly one block, by its hash. If the node refuses that, the function reads by number, and checks
 * before and after the read that the node has the same block under that number.
 */
export async function readAtBlock<T>(
  node: Pick<ChainReader, 'name' | 'blocks'>,
  block: { readonly number: bigint; readonly hash: Hex },
  read: (at: AtBlock) => Promise<T>,
): Promise<T> {
  try {
    return await read({ blockHash: block.hash, requireCanonical: true })
  } catch (error) {
    if (!isNodeRefusal(error)) throw error
  }
  const checkBlock = async (): Promise<void> => {
    const [found] = await node.blocks([block.number])
    if (found?.hash !== block.hash) throw new NodeContradiction(`${node.name} has another block ${block.number}`)
  }
  await checkBlock()
  const answer = await read({ blockNumber: block.number })
  await checkBlock()
  return answer
}
