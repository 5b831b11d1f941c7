import { ok, refused } from '@lode/kernel'
import { describe, expect, it } from 'vitest'
import { createBlockSearch } from './block-search.ts'
import { hashOf } from './testing/example.ts'

/** A chain with one deposit. Its node refuses searches of more than `widest` blocks. */
function node({ latest, deposit = -1, widest = 10_000 }: { latest: number; deposit?: number; widest?: number }) {
  const asked: [number, number][] = []
  const state = { latest, isAway: false }
  return {
    asked,
    state,
    chain: { blockNumber: async () => (state.isAway ? refused('no-node' as const) : ok(state.latest)) },
    find: async (from: number, to: number) => {
      asked.push([from, to])
      if (state.isAway || to - from + 1 > widest) return refused('no-node' as const)
      return ok(deposit >= from && deposit <= to ? [hashOf('1')] : [])
    },
  }
}

describe('a search through the blocks', () => {
  it('covers every block from the request to the latest one', async () => {
    const { chain, find, asked } = node({ latest: 30_000, deposit: 29_999 })
    expect(await createBlockSearch()(chain, 100, find)).toEqual(ok([hashOf('1')]))
    expect(asked[0]?.[0]).toBe(100)
    expect(asked.at(-1)?.[1]).toBe(30_000)
    for (const [place, [from]] of asked.entries()) if (place > 0) expect(from).toBe((asked[place - 1]?.[1] ?? 0) + 1)
  })

  it('halves its page when the node refuses, and skips no block', async () => {
    const { chain, find } = node({ latest: 5_000, deposit: 4_321, widest: 100 })
    expect(await createBlockSearch()(chain, 0, find)).toEqual(ok([hashOf('1')]))
  })

  it('has no result if a page fails, or if the node is offline or behind', async () => {
    const blocked = node({ latest: 5_000, widest: 0 })
    expect(await createBlockSearch()(blocked.chain, 0, blocked.find)).toEqual(refused('no-node'))
    // 2,000 blocks, then half as many each time, down to 15.
    expect(blocked.asked).toHaveLength(8)
    const away = node({ latest: 5_000 })
    away.state.isAway = true
    expect(await createBlockSearch()(away.chain, 0, away.find)).toEqual(refused('no-node'))
    const behind = node({ latest: 99 })
    expect(await createBlockSearch()(behind.chain, 100, behind.find)).toEqual(refused('no-node'))
  })

  it('searches again from the first block in which it found something', async () => {
    const { chain, find, asked } = node({ latest: 5_000, deposit: 100 })
    const search = createBlockSearch()
    await search(chain, 0, find)
    asked.length = 0
    expect(await search(chain, 0, find)).toEqual(ok([hashOf('1')]))
    expect(asked[0]?.[0]).toBe(0)
  })

  it('searches again only the blocks that a reorganization can change', async () => {
    const { chain, find, asked, state } = node({ latest: 100_000 })
    const search = createBlockSearch()
    await search(chain, 0, find)
    asked.length = 0
    state.latest = 100_010
    expect(await search(chain, 0, find)).toEqual(ok([]))
    expect(asked).toEqual([[99_700, 100_010]])
  })
})
