import { describe, expect, it } from 'vitest'
import { findFurthest, findFutureHeads, type Head } from './node-heads.ts'

const NOW = new Date('2026-05-01T12:00:00Z')
const minutes = (count: number): Date => new Date(NOW.getTime() + count * 60_000)
const head = (name: string, number: bigint, time: Date): Head => ({ node: { name }, finalized: { number, time } })
const namesOf = (heads: readonly Head[]): string[] => heads.map(({ node }) => node.name)

describe('a head in the future', () => {
  it('is after the clock here by more than two minutes', () => {
    const honest = head('one', 100n, minutes(-13))
    expect(namesOf(findFutureHeads([honest, head('other', 100n, minutes(1))], NOW))).toEqual([])
    expect(namesOf(findFutureHeads([honest, head('other', 100n, minutes(3))], NOW))).toEqual(['other'])
    expect(namesOf(findFutureHeads([head('other', 100n, minutes(3)), honest], NOW))).toEqual(['other'])
  })

  it('is not one that a second origin reports too: then the clock here is wrong', () => {
    const both = [head('one', 100n, minutes(60)), head('other', 100n, minutes(61))]
    expect(namesOf(findFutureHeads(both, NOW))).toEqual([])
    expect(namesOf(findFutureHeads([...both, head('third', 100n, minutes(90))], NOW))).toEqual(['third'])
    // Two addresses of one origin are one voice.
    const one = [head('one', 100n, minutes(60)), head('one', 100n, minutes(60)), head('other', 100n, minutes(-13))]
    expect(namesOf(findFutureHeads(one, NOW))).toEqual(['one', 'one'])
  })
})

describe('how far the chain is', () => {
  it('is what two of three origins have reached, by number and by time', () => {
    const heads = [head('one', 100n, minutes(-13)), head('other', 101n, minutes(-14)), head('liar', 9_000n, minutes(0))]
    expect(findFurthest(heads)).toEqual({ number: 101n, time: minutes(-13) })
    expect(findFurthest([...heads, head('liar', 9_500n, minutes(0))])).toEqual({ number: 101n, time: minutes(-13) })
  })

  it('is what the further one of two origins reports', () => {
    const heads = [head('one', 100n, minutes(-20)), head('other', 130n, minutes(-13))]
    expect(findFurthest(heads)).toEqual({ number: 130n, time: minutes(-13) })
    expect(findFurthest(heads.slice(0, 1))).toEqual({ number: 100n, time: minutes(-20) })
  })
})
