import { ok, refused } from '@lode/kernel'
import { describe, expect, it } from 'vitest'
import { createSearch } from './search.ts'
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

describe('a search through the chain', () => {
  it('covers every block to the last one, however long ago the payment was asked for', async () => {
    const { chain, find, asked } = node({ latest: 30_000, deposit: 29_999 })
    expect(await createSearch()(chain, 100, find)).toEqual(ok([hashOf('1')]))
    expect(asked[0]?.[0]).toBe(100)
    expect(asked.at(-1)?.[1]).toBe(30_000)
    for (const [place, [from]] of asked.entries()) if (place > 0) expect(from).toBe((asked[place - 1]?.[1] ?? 0) + 1)
  })

  it('asks for less at a time where the node refuses, and leaves nothing out', async () => {
    const { chain, find } = node({ latest: 5_000, deposit: 4_321, widest: 100 })
    expect(await createSearch()(chain, 0, find)).toEqual(ok([hashOf('1')]))
  })

  it('has no answer where a part of it cannot be had, where the node is away, or where it lags behind', async () => {
    const blocked = node({ latest: 5_000, widest: 0 })
    expect(await createSearch()(blocked.chain, 0, blocked.find)).toEqual(refused('no-node'))
    expect(blocked.asked.length).toBeLessThan(12)
    const away = node({ latest: 5_000 })
    away.state.isAway = true
    expect(await createSearch()(away.chain, 0, away.find)).toEqual(refused('no-node'))
    const behind = node({ latest: 99 })
    expect(await createSearch()(behind.chain, 100, behind.find)).toEqual(refused('no-node'))
  })

  it('does not look through the same weeks again, only through what a reorganisation can change', async () => {
    const { chain, find, asked, state } = node({ latest: 100_000 })
    const search = createSearch()
    await search(chain, 0, find)
    asked.length = 0
    state.latest = 100_010
    expect(await search(chain, 0, find)).toEqual(ok([]))
    expect(asked).toEqual([[99_700, 100_010]])
  })
})
