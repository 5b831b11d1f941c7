import { ok, type Result, refused } from '@lode/kernel'
import type { Hex } from 'viem'
import type { Chain } from './reads.ts'

/** Nodes answer for only so many blocks at a time, and few say for how many. */
const WIDEST_PAGE = 2_000
const NARROWEST_PAGE = 16
/** Deeper than reorganisations go: what was looked through may have changed so far back. */
const LOOKED_AT_TWICE = 300

type Found = Result<readonly Hex[], 'no-node'>

export type Search = ReturnType<typeof createSearch>

/**
 * Looks through the chain from a block to the last one, page by page, each half as wide where the node refuses. An answer
 * covers every block of it; where one page cannot be had there is none. It remembers how far there was nothing, so that a
 * payment that is looked for over weeks does not ask for those weeks each time.
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
    // The node lags behind what was seen already, so that it does not show something means nothing.
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
