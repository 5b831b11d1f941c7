import { ok, type Result, refused } from '@lode/kernel'
import type { Hex } from 'viem'
import type { Chain } from './reads.ts'

/** Nodes limit the number of blocks in one search, and few report their limit. */
const WIDEST_PAGE = 2_000
const NARROWEST_PAGE = 16
/** Blocks that are searched again, because a reorganization can change them. Reorganizations are never this deep. */
const LOOKED_AT_TWICE = 300

type Found = Result<readonly Hex[], 'no-node'>

export type Search = ReturnType<typeof createSearch>

/**
 * Searches the chain from a block to the latest one, page by page. When the node refuses a page, its width is halved. A
 * result covers every block; if one page fails, there is no result. It remembers up to which block nothing was found,
 * so a payment that is looked for over weeks does not search those weeks each time.
 */
export function createSearch() {
  let page = WIDEST_PAGE
  let emptyTo: number | null = null

  return async (
    chain: Pick<Chain, 'blockNumber'>,
    fromBlock: number,
    find: (from: number, to: number) => Promise<Found>,
  ): Promise<Found> => {
    const latest = await chain.blockNumber()
    if (!latest.ok) return latest
    let from = emptyTo === null ? fromBlock : Math.max(fromBlock, emptyTo - LOOKED_AT_TWICE)
    // The node is behind the blocks that were already searched, so an empty result would mean nothing.
    if (latest.value < from) return refused('no-node')
    const found: Hex[] = []
    while (from <= latest.value) {
      const to = Math.min(from + page - 1, latest.value)
      const part = await find(from, to)
      if (part.ok) {
        found.push(...part.value)
        if (found.length === 0) emptyTo = to
        from = to + 1
        continue
      }
      const width = to - from + 1
      if (width <= NARROWEST_PAGE || !(await chain.blockNumber()).ok) return part
      page = Math.floor(width / 2)
    }
    return ok(found)
  }
}
