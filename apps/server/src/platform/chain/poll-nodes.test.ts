import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { backOff, pollNodes } from './poll-nodes.ts'

/** Polls with these turns, in order, until the last one is made. */
async function pollThrough(nodes: string[], turns: ((node: string) => 'again' | 'wait')[], pollMs = 1) {
  const asked: string[] = []
  const failures: string[] = []
  const allFailed: unknown[][] = []
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const following = pollNodes<string>({
    nodes: () => nodes,
    pollMs,
    turn: async (node) => {
      const next = turns[asked.length]
      asked.push(node)
      if (!next) {
        resolve()
        return 'wait'
      }
      return next(node)
    },
    onFailure: (node) => failures.push(node),
    onAllFailed: async (errors) => {
      allFailed.push([...errors])
    },
  })
  await done
  await following.stop()
  return { asked, failures, allFailed }
}

const throwError = (): never => {
  throw new Error('away')
}

describe('polling the nodes of a chain', () => {
  it('stays with one node as long as it answers, and after a failover stays with the next node', async () => {
    const { asked, failures } = await pollThrough(['a', 'b'], [() => 'again', throwError, () => 'wait', () => 'again'])
    expect(asked).toEqual(['a', 'a', 'b', 'b', 'b'])
    expect(failures).toEqual(['a'])
  })

  it('uses nodes that replaced others, and stays with its node if that one is still there', async () => {
    const asked: string[] = []
    const lists = [['a', 'b'], ['c', 'b'], ['d', 'c'], ['d', 'c'], ['d']]
    const { promise: done, resolve } = Promise.withResolvers<void>()
    const polling = pollNodes<string>({
      nodes: () => lists[Math.min(asked.length, lists.length - 1)] ?? [],
      pollMs: 1,
      turn: async (node) => {
        asked.push(node)
        if (asked.length > lists.length) resolve()
        return 'wait'
      },
      onFailure: () => {},
      onAllFailed: async () => {},
    })
    await done
    await polling.stop()
    expect(asked.slice(0, 6)).toEqual(['a', 'c', 'c', 'c', 'd', 'd'])
  })

  it('reports when all nodes have failed, and continues', async () => {
    const { asked, allFailed } = await pollThrough(['a', 'b'], [throwError, throwError, () => 'again'])
    expect(asked).toEqual(['a', 'b', 'a', 'a'])
    expect(allFailed).toHaveLength(1)
    expect(allFailed[0]).toHaveLength(2)
  })

  it('stops at once, also while it waits between two turns', async () => {
    const turns: number[] = []
    const following = pollNodes({
      nodes: () => ['a'],
      pollMs: 60_000,
      turn: async () => {
        turns.push(1)
        return 'wait'
      },
      onFailure: () => {},
      onAllFailed: async () => {},
    })
    await sleep(10)
    await following.stop()
    expect(turns).toHaveLength(1)
  })
})

describe('the pause after a failure', () => {
  it('doubles up to ten seconds, and always waits at least half of that', () => {
    expect([1, 2, 3, 4].map((failures) => backOff(failures, 1))).toEqual([250, 500, 1_000, 2_000])
    expect(backOff(1, 0)).toBe(125)
    expect(backOff(1_000, 1)).toBe(10_000)
  })
})
