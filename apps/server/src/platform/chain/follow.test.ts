import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { backOff, follow } from './follow.ts'

/** Follows with these turns, in order, until the last one is made. */
async function followed(nodes: string[], turns: ((node: string) => 'again' | 'wait')[], pollMs = 1) {
  const asked: string[] = []
  const failures: string[] = []
  const allFailed: unknown[][] = []
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const following = follow<string>({
    nodes,
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

const fails = (): never => {
  throw new Error('away')
}

describe('following a chain', () => {
  it('keeps to one node as long as it answers, and stays with the one that it had to turn to', async () => {
    const { asked, failures } = await followed(['a', 'b'], [() => 'again', fails, () => 'wait', () => 'again'])
    expect(asked).toEqual(['a', 'a', 'b', 'b', 'b'])
    expect(failures).toEqual(['a'])
  })

  it('says when all of them have failed, and goes on', async () => {
    const { asked, allFailed } = await followed(['a', 'b'], [fails, fails, () => 'again'])
    expect(asked).toEqual(['a', 'b', 'a', 'a'])
    expect(allFailed).toHaveLength(1)
    expect(allFailed[0]).toHaveLength(2)
  })

  it('stops in the middle of a pause', async () => {
    const turns: number[] = []
    const following = follow({
      nodes: ['a'],
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
  it('doubles up to ten seconds, and at least half of it is always waited', () => {
    expect([1, 2, 3, 4].map((failures) => backOff(failures, 1))).toEqual([250, 500, 1_000, 2_000])
    expect(backOff(1, 0)).toBe(125)
    expect(backOff(1_000, 1)).toBe(10_000)
  })
})
