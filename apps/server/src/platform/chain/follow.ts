import { setTimeout as sleep } from 'node:timers/promises'

/** `again`: there is more to do at once. `wait`: until the next block, say. */
export type Turn = 'again' | 'wait'

type Options<Node> = {
  readonly nodes: readonly Node[]
  readonly pollMs: number
  /** One look at the chain through one node, so that all its answers are of one view of it. */
  readonly turn: (node: Node) => Promise<Turn>
  readonly onFailure: (node: Node, error: unknown) => void
  /** Every node was tried and failed, each for its reason. */
  readonly onAllFailed: (errors: readonly unknown[]) => Promise<void>
}

export type Following = {
  /** Resolves when the turn that is under way has ended. */
  stop(): Promise<void>
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000

/**
 * Goes on until it is stopped. It keeps to one node as long as that one answers, turns to the next when it fails, and waits
 * longer each time that all of them do, by a random part, so that many workers do not come back to a node at once.
 */
export function follow<Node>({ nodes, pollMs, turn, onFailure, onAllFailed }: Options<Node>): Following {
  const ending = new AbortController()
  const pause = (milliseconds: number) => sleep(milliseconds, undefined, { signal: ending.signal }).catch(() => {})
  let first = 0

  async function tryNodes(): Promise<Turn | 'failed'> {
    const errors: unknown[] = []
    for (let attempt = 0; attempt < nodes.length && !ending.signal.aborted; attempt += 1) {
      const place = (first + attempt) % nodes.length
      const node = nodes[place] as Node
      try {
        const next = await turn(node)
        first = place
        return next
      } catch (error) {
        onFailure(node, error)
        errors.push(error)
      }
    }
    await onAllFailed(errors)
    return 'failed'
  }

  const running = (async () => {
    let failed = 0
    while (!ending.signal.aborted) {
      const result = await tryNodes()
      failed = result === 'failed' ? failed + 1 : 0
      if (result === 'wait') await pause(pollMs)
      if (result === 'failed') await pause(backOff(failed, Math.random()))
    }
  })()

  return {
    stop: () => {
      ending.abort()
      return running
    },
  }
}

/** Between half of it and all of it: 250 ms, doubled each time, at most 10 s. */
export const backOff = (failures: number, random: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20)) * (0.5 + random / 2)
