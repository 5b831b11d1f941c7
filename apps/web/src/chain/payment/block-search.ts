import { ok, type Result, refused } from '@lode/kernel'
import type { Hex } from 'viem'
import type { ChainReader } from './chain-reader.ts'

/** The width of one search. Nodes limit the number of blocks in a search, and few report their limit. */
const MAX_PAGE_BLOCKS = 2_000
const MIN_PAGE_BLOCKS = 16
/** Blocks that are searched again, because a reorganization can change them. Reorganizations are never this deep. */
const REORGANIZATION_BLOCKS = 300

type FoundHashes = Result<readonly Hex[], 'no-node'>

export type BlockSearch = ReturnType<typeof createBlockSearch>

/**
 * Searches the chain from a block to the latest one, page by page. If the node refuses a page, the search halves the
 * width. A result covers every block; if a page fails at the smallest width, there is no result. The search remembers
 * up to which block it found nothing, so that looking for a payment over weeks does not search all those weeks each
 * time.
 */
export function createBlockSearch() {
  let pageWidth = MAX_PAGE_BLOCKS
  let emptyTo: number | null = null

  return async (
    chain: Pick<ChainReader, 'blockNumber'>,
    fromBlock: number,
    find: (from: number, to: number) => Promise<FoundHashes>,
  ): Promise<FoundHashes> => {
    const latest = await chain.blockNumber()
    if (!latest.ok) return latest
    let from = emptyTo === null ? fromBlock : Math.max(fromBlock, emptyTo - REORGANIZATION_BLOCKS)
    // The node is behind the blocks that were already searched, so an empty result would prove nothing.
    if (latest.value < from) return refused('no-node')
    const found: Hex[] = []
    while (from <= latest.value) {
      const to = Math.min(from + pageWidth - 1, latest.value)
      const part = await find(from, to)
      if (part.ok) {
        found.push(...part.value)
        if (found.length === 0) emptyTo = to
        from = to + 1
        continue
      }
      const width = to - from + 1
      if (width <= MIN_PAGE_BLOCKS || !(await chain.blockNumber()).ok) return part
      pageWidth = Math.floor(width / 2)
    }
    return ok(found)
  }
}
